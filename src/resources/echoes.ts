/** Longer runs of what was sent are not words that happen to stand in both. */
const RUN = 12;
/** Of longer texts the beginning: servers quote from there, and an error must not cost seconds. */
const MOST_SENT = 1024 * 1024;
const MOST_MESSAGE = 2000;

/**
 * A server may quote in its error what it was sent. Gives a function that masks every run of at least 12 characters that
 * a text shares with something that was sent (with its first MiB), and whole shorter texts of six or more.
 */
export function maskEchoes(sent: readonly string[]): (text: string) => string {
  const texts = sent.filter(text => text.length >= 6).map(text => text.slice(0, MOST_SENT));
  const short = texts.filter(text => text.length < RUN);
  const long = texts.filter(text => text.length >= RUN);
  return given => {
    let text = given.slice(0, MOST_MESSAGE);
    for (const each of short) text = text.replaceAll(each, '…');
    const masked = new Uint8Array(text.length);
    const runs = new Map<string, number[]>();
    for (let at = 0; at + RUN <= text.length; at++) {
      const run = text.slice(at, at + RUN);
      runs.set(run, [...(runs.get(run) ?? []), at]);
    }
    if (runs.size > 0) {
      for (const each of long) {
        for (let at = 0; at + RUN <= each.length; at++) {
          for (const found of runs.get(each.slice(at, at + RUN)) ?? []) masked.fill(1, found, found + RUN);
        }
      }
    }
    let shown = '';
    for (let at = 0; at < text.length; at++) {
      if (masked[at] === 0) shown += text[at];
      else if (masked[at - 1] !== 1) shown += '…';
    }
    return shown;
  };
}
