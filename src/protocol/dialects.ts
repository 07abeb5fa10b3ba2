import { base64Texts } from './base64-text.js';
import { dataUris } from './data-uri.js';
import type { Dialect, DialectFacts, Route } from './dialect.js';
import { fileObjects } from './file-objects-dialect.js';
import { filesExtension } from './files-extension-dialect.js';
import { openaiFileParams } from './openai-file-params.js';
import type { FileDeclaration } from './types.js';

/** All dialects, the first that fits an argument before the others. */
export const DIALECTS: readonly Dialect[] = [filesExtension, fileObjects, dataUris, openaiFileParams, base64Texts];

/** One way that a file may travel. */
export interface FileOption {
  readonly dialect: Dialect;
  readonly declaration: FileDeclaration;
  readonly route: Route;
  /** The tool declares it; otherwise the server may turn out not to know it. */
  readonly declared: boolean;
}

/** How one file may travel: the best way inside the call, and the best beside it. */
export interface FileOptions {
  readonly inline?: FileOption;
  readonly outOfBand?: FileOption;
  /** What the dialects that are left out needed. */
  readonly lookedFor: readonly string[];
}

/** The table of precedence: what the tool declares at one place, against what server and host can do. */
export function optionsOf(
  declarations: readonly FileDeclaration[],
  facts: DialectFacts,
  dialects: readonly Dialect[] = DIALECTS,
): FileOptions {
  const options: FileOption[] = [];
  const lookedFor: string[] = [];
  const add = (dialect: Dialect, declaration: FileDeclaration, declared: boolean): void => {
    const routes = dialect.routes(declaration, facts);
    if (routes.length === 0) lookedFor.push(dialect.lookedFor(facts));
    for (const route of routes) options.push({ dialect, declaration, route, declared });
  };
  for (const declaration of declarations) {
    const dialect = dialects.find(({ name }) => name === declaration.dialect);
    if (dialect) add(dialect, declaration, true);
  }
  for (const { dialect, declaration } of options.slice()) {
    const beyond = dialect.beyondInline?.(declaration);
    if (beyond) add(beyond, declaration, false);
  }
  const inline = options.find(({ route }) => route === 'inline');
  const outOfBand = options.find(({ route }) => route !== 'inline');
  return { ...(inline && { inline }), ...(outOfBand && { outOfBand }), lookedFor: [...new Set(lookedFor)] };
}
