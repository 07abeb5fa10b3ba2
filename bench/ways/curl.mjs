// The command line of curl for a job; curl is no Node program, so this is run by the benchmark itself.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const quiet = ['curl', '--silent', '--show-error', '--fail'];

export function curlCommand({ kind, files, concurrency, to }, folder) {
  if (kind === 'get') return [...quiet, '--output', to, files[0].url];
  const config = join(folder, 'curl.config');
  const entries = files.map(({ path, url }) => {
    const body = kind === 'put' ? `upload-file = "${path}"` : `form-string = "key=0"\nform = "file=@${path}"`;
    return `url = "${url}"\n${body}\noutput = "/dev/null"\n`;
  });
  // Forms belong to one transfer each; uploads are paired with the addresses in their order.
  writeFileSync(config, entries.join(kind === 'put' ? '' : 'next\n'));
  const parallel = concurrency > 1 ? ['--parallel', '--parallel-max', String(concurrency)] : [];
  return [...quiet, ...parallel, '--config', config];
}
