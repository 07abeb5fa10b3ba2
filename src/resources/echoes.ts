/** Longer runs of what was sent are not words that happen to stand in both. */
const RUN = 12;
/** Of longer texts the beginning: servers quote from there, and an error must not cost seconds. */
const MOST_SENT = 1024 * 1024;
const MOST_MESSAGE = 2000;
/** Characters of all texts of one error together. */
const MOST_TOGETHER = 64 * 1024;

/**
 * A server may quote in its error what it was sent. Of the given texts this masks every run of at least 12 characters that
 * one shares with something that was sent (with its first MiB), and whole shorter texts of six or more. What was sent is
 * gone through once for all of them; the texts that are too many, and those that were not given, are masked whole.
 */
export function maskEchoes(sent: readonly string[], given: Iterable<string>): (text: string) => string {
  const texts = sent.filter(text => text.length >= 6).map(text => text.slice(0, MOST_SENT));
  const short = texts.filter(text => text.length < RUN);
  const long = texts.filter(text => text.length >= RUN);

  const shortened = new Map<string, string>();
  const runs = new Set<string>();
  let together = 0;
  for (const each of given) {
    if (shortened.has(each)) continue;
    let text = each.slice(0, MOST_MESSAGE);
    together += text.length;
    if (together > MOST_TOGETHER) break;
    for (const word of short) text = text.replaceAll(word, '…');
    shortened.set(each, text);
    for (let at = 0; at + RUN <= text.length; at++) runs.add(text.slice(at, at + RUN));
  }
  const echoed = new Set<string>();
  for (const each of long) {
    for (let at = 0; at + RUN <= each.length && echoed.size < runs.size; at++) {
      const run = each.slice(at, at + RUN);
      if (runs.has(run)) echoed.add(run);
    }
  }
  return text => {
    const known = shortened.get(text);
    return known === undefined ? '…' : withoutRuns(known, echoed);
  };
}

function withoutRuns(text: string, runs: ReadonlySet<string>): string {
  const masked = new Uint8Array(text.length);
  if (runs.size > 0) {
    for (let at = 0; at + RUN <= text.length; at++) {
      if (runs.has(text.slice(at, at + RUN))) masked.fill(1, at, at + RUN);
    }
  }
  let shown = '';
  for (let at = 0; at < text.length; at++) {
    if (masked[at] === 0) shown += text[at];
    else if (masked[at - 1] !== 1) shown += '…';
  }
  return shown;
}
