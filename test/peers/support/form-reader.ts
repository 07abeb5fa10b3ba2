import { expect, test } from 'vitest';
import { FILES, sha256 } from './files.js';
import { ENGINES, send } from './send.js';

interface Reading {
  fields: [name: string, value: string][];
  files: { field: string; name: string; type: string; sha256: string }[];
}

const FIELDS = [
  { name: 'key', value: 'a/b' },
  { name: 'policy', value: 'eyJ=="+&%41 ä 名 🎈; \\' },
  { name: 'lines', value: 'one\r\ntwo\r\n\r\n--three--\r\n' },
  { name: 'empty', value: '' },
  { name: 'feld-ü', value: 'ü' },
];

/** A page that says how its parser read the form it was sent. `quote`: what it makes of a quote in a file's name. */
export function readsForms(newUrl: () => string, { quote }: { quote: string }): void {
  for (const kind of ENGINES) {
    for (const file of FILES) {
      test(`reads the fields, the name and the bytes: ${file.label} (${kind} engine)`, async () => {
        const url = newUrl();
        const typed = { ...file, type: 'image/svg+xml; charset=utf-8' };
        await send({ url, form: { fields: FIELDS, fileField: 'upload' } }, typed, kind);
        const reading = (await (await fetch(url)).json()) as Reading;
        expect(reading.fields).toEqual(FIELDS.map(({ name, value }) => [name, value]));
        expect(reading.files).toMatchObject([
          {
            field: 'upload',
            name: file.name.replaceAll('"', quote),
            sha256: sha256(file.bytes),
          },
        ]);
      });
    }
  }
}
