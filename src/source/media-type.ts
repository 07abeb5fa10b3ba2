/** RFC 9110, 5.6.2 */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** RFC 9110, 5.6.4, without obs-text: the type is written as it is into headers and form parts. */
const QUOTED = '"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*"';
/** RFC 9110, 8.3.1. White space before a `;` can match in one place only, so the test is linear. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;(?:[ \\t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))?)*[ \\t]*$`);

/** Sent where neither the host, the Blob nor the name says what a file is (RFC 2046, 4.5.1). */
export const FALLBACK_TYPE = 'application/octet-stream';

/** Is this a media type by the grammar of RFC 9110, with or without parameters? Line breaks and controls never are. */
export function isMediaType(type: unknown): boolean {
  return typeof type === 'string' && MEDIA_TYPE.test(type);
}

/** The media type that goes with a name's extension; `undefined` where it has none or none that is known. */
export async function typeOfName(name: string): Promise<string | undefined> {
  const { default: mime } = await import('mime');
  // Without a folder in front, mime takes a bare `pdf` for an extension.
  return mime.getType(`./${name}`) ?? undefined;
}

/** Where mime's first choice is one that few players know. */
const USUAL: Readonly<Record<string, string>> = { mpga: 'mp3', oga: 'ogg' };

/** The usual extension of a media type, without a dot; `undefined` where there is none. */
export async function extensionOfType(type: string): Promise<string | undefined> {
  const { default: mime } = await import('mime');
  const extension = mime.getExtension(type) ?? undefined;
  return extension === undefined ? undefined : (USUAL[extension] ?? extension);
}
