/** Most file systems and servers take no longer name. */
const MAX_NAME_BYTES = 255;

/** Cc and line separators break headers and logs; bidirectional controls make `exe.pdf` out of `fdp.exe`. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Windows takes these for devices, whatever follows a dot. */
export const WINDOWS_DEVICE = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|$)/i;

/**
 * {@link cleanName} for a file that is to be kept here: a name that every platform takes, and for a file in its folder.
 * What Windows refuses becomes `_`, and so does the colon, which leads to another drive or a hidden stream there; dots and
 * spaces at the end, which Windows drops, are gone; a device gets `_` before its name.
 */
export function portableName(name: string): string {
  const portable = withoutEnd(cleanName(name).replace(/[<>:"|?*]/g, '_'));
  return WINDOWS_DEVICE.test(portable) ? withoutEnd(shorten(`_${portable}`)) : portable;
}

function withoutEnd(name: string): string {
  return name.replace(/[ .]+$/, '');
}

/**
 * A base name that is safe to put into a header, a form or a directory listing: without folders (of either kind of
 * separator), controls and bidirectional overrides, at most 255 bytes of UTF-8 with the extension kept. Never refuses:
 * where nothing is left, or dots alone, the name is `file`.
 */
export function cleanName(name: string): string {
  if (PLAIN.test(name)) return name;
  const base = wellFormed(name)
    .replace(UNSAFE, '')
    .split(/[/\\]/)
    .findLast(segment => segment !== '');
  const usable = base === undefined || /^[\s.]*$/.test(base) ? 'file' : base;
  return shorten(usable);
}

/** Most names, and nothing in them to clean. */
const PLAIN = /^\w[\w .-]{0,83}$/;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const SURROGATE = /[\ud800-\udfff]/;

/** Lone surrogates have no UTF-8 form: they become U+FFFD here, so that every later reader sees the same name. */
function wellFormed(name: string): string {
  return SURROGATE.test(name) ? decoder.decode(encoder.encode(name)) : name;
}

function shorten(name: string): string {
  // No character takes more than three bytes for each of its code units.
  if (name.length * 3 <= MAX_NAME_BYTES || byteLength(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  // What follows the last dot of a long sentence is no extension.
  const kept = byteLength(extension) <= MAX_NAME_BYTES / 4 ? extension : '';
  return cut(name.slice(0, name.length - kept.length), MAX_NAME_BYTES - byteLength(kept)) + kept;
}

/** At most so many bytes, never through a code point. */
function cut(text: string, bytes: number): string {
  let result = '';
  let used = 0;
  for (const character of text) {
    used += byteLength(character);
    if (used > bytes) break;
    result += character;
  }
  return result;
}

function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}
