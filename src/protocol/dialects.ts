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
  readonly inline: FileOption | undefined;
  readonly outOfBand: FileOption | undefined;
  /** What the dialects that are left out needed. */
  readonly lookedFor: readonly string[];
}

/** The table of precedence: what the tool declares at one place, against what server and host can do. */
export function optionsOf(
  declarations: readonly FileDeclaration[],
  facts: DialectFacts,
  dialects: readonly Dialect[] = DIALECTS,
): FileOptions {
  let inline: FileOption | undefined;
  let outOfBand: FileOption | undefined;
  const lookedFor: string[] = [];
  const beyond: (readonly [Dialect, FileDeclaration])[] = [];
  const add = (dialect: Dialect, declaration: FileDeclaration, declared: boolean): boolean => {
    const routes = dialect.routes(declaration, facts);
    for (const route of routes) {
      if (route === 'inline') inline ??= { dialect, declaration, route, declared };
      else outOfBand ??= { dialect, declaration, route, declared };
    }
    if (routes.length > 0) return true;
    const needed = dialect.lookedFor(facts);
    if (!lookedFor.includes(needed)) lookedFor.push(needed);
    return false;
  };
  for (const declaration of declarations) {
    const dialect = dialects.find(({ name }) => name === declaration.dialect);
    if (dialect === undefined || !add(dialect, declaration, true)) continue;
    const other = dialect.beyondInline?.(declaration);
    if (other) beyond.push([other, declaration]);
  }
  for (const [dialect, declaration] of beyond) add(dialect, declaration, false);
  return { inline, outOfBand, lookedFor };
}
