import { createHash } from 'node:crypto';

/** A secret in two shapes: a key as services make them, and a plain word that no pattern could know for a secret. */
interface Secret {
  readonly key: string;
  readonly word: string;
  /** Both, where the place takes any text. */
  readonly both: string;
}

/** The same for the same place in each run. */
function secretFor(place: string): Secret {
  const digest = createHash('sha256').update(place).digest();
  const letters = [...digest].map(byte => String.fromCharCode(97 + (byte % 26)));
  const key = letters.map((letter, at) => (at % 3 === 2 ? String(digest[at]! % 10) : letter)).slice(0, 27);
  const word = letters.reverse().slice(0, 18);
  const text = { key: key.join(''), word: word.join('') };
  return { ...text, both: `${text.word} ${text.key}` };
}

/** Remembers what it gave out, and finds it again in any text. */
export class Secrets {
  readonly #given = new Map<string, Secret>();

  of(place: string): Secret {
    const secret = this.#given.get(place) ?? secretFor(place);
    this.#given.set(place, secret);
    return secret;
  }

  /** The places whose secret, or half of it, is in the texts: raw, in any case, base64, percent-encoded or in hex. */
  foundIn(texts: Iterable<string>): string[] {
    const all = [...texts].join('\n');
    const folded = [all, decoded(all)].map(text => text.toLowerCase());
    const found: string[] = [];
    for (const [place, { key, word }] of this.#given) {
      const isFound = [...halves(key), ...halves(word)].some(
        half =>
          folded.some(text => text.includes(half) || text.includes(Buffer.from(half).toString('hex'))) ||
          inBase64(half).some(encoded => all.includes(encoded)),
      );
      if (isFound) found.push(place);
    }
    return found;
  }
}

/** A message that is cut must not have the beginning or the end of a secret in it either. */
function halves(text: string): string[] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** In each of the three places that it can have in a group of three bytes; base64url writes letters and digits alike. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map(shift => {
    const encoded = Buffer.from(' '.repeat(shift) + text).toString('base64url');
    const whole = Math.floor(((shift + text.length) * 8) / 6);
    return encoded.slice(Math.ceil((shift * 8) / 6), whole);
  });
}

function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1'));
}
