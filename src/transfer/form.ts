import type NodeFormData from 'form-data';
import { FilesError } from '../errors/index.js';
import { isMediaType } from '../source/media-type.js';
import { load } from './load.js';
import type { HeaderEntry } from './target.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** The multipart/form-data (RFC 7578) around a file: everything but the file's own bytes. */
export interface Envelope {
  /** The fields in the order given, then the header of the file's part. */
  readonly head: Bytes;
  /** The closing boundary. */
  readonly tail: Bytes;
  /** Value of Content-Type, with the boundary. */
  readonly contentType: string;
}

interface Form {
  readonly fields: readonly HeaderEntry[];
  readonly fileField: string;
}

/**
 * Encoded by the npm package form-data, and where that only stands for the platform's own `FormData` (browsers), by the
 * platform, which ends lone line breaks in field values with CR LF as every HTML form does. Both write the file's name
 * in raw UTF-8 with `"`, CR and LF percent-encoded, as the WHATWG form encoding has it, and no `filename*`. The part's
 * type is written raw by form-data, so it is checked here whoever made the file.
 */
export async function writeEnvelope(
  form: Form,
  file: { readonly name: string; readonly type: string },
): Promise<Envelope> {
  if (!isMediaType(file.type)) {
    throw new FilesError('argument_invalid', `The type of "${file.name}" is not a media type (RFC 9110, 8.3.1).`);
  }
  const { default: FormDataClass } = (await load(import('form-data'))) as {
    default: typeof NodeFormData | typeof FormData;
  };
  const { bytes, contentType } =
    'getBuffer' in FormDataClass.prototype
      ? encodeWithPackage(new (FormDataClass as typeof NodeFormData)(), form, file)
      : await encodeWithPlatform(form, file);
  return { ...split(bytes, contentType), contentType };
}

interface Encoded {
  /** The form with an empty file. */
  readonly bytes: Bytes;
  readonly contentType: string;
}

function encodeWithPackage(
  data: NodeFormData,
  form: Form,
  file: { readonly name: string; readonly type: string },
): Encoded {
  for (const [name, value] of form.fields) data.append(name, value);
  data.append(form.fileField, '', { filename: file.name, contentType: file.type });
  return { bytes: new Uint8Array(data.getBuffer()), contentType: data.getHeaders()['content-type'] };
}

async function encodeWithPlatform(
  form: Form,
  file: { readonly name: string; readonly type: string },
): Promise<Encoded> {
  const data = new FormData();
  for (const [name, value] of form.fields) data.append(name, value);
  data.append(form.fileField, new File([], file.name, { type: file.type }));
  const encoded = new Response(data);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { bytes: new Uint8Array(await encoded.arrayBuffer()), contentType };
}

/** The file is the last part and empty, so it belongs right before the line break of the closing boundary. */
function split(bytes: Bytes, contentType: string): { head: Bytes; tail: Bytes } {
  const boundary = contentType.slice(contentType.indexOf('boundary=') + 'boundary='.length);
  const tail = new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
  return { head: bytes.slice(0, bytes.byteLength - tail.byteLength), tail };
}
