import type { Dialect, Mark } from './dialect.js';
import { DIALECTS } from './dialects.js';
import { DECLARED, type FileKeyword, MAX_PATTERNS } from './file-keyword.js';
import { member, objectMember } from './json.js';
import { OBJECT } from './schema-types.js';
import type { Applied } from './schema-walk.js';
import type { FileDeclaration, FileDialect } from './types.js';

/** What the schemas at one place declare of a file there, in one dialect. */
export interface DeclaredFile {
  readonly accept?: readonly string[];
  readonly maxSize?: number;
  readonly dialect: FileDialect;
}

/** The file that is declared where these schemas apply, in the first dialect that declares one, or `undefined`. */
export function declaredFile(place: readonly Applied[]): DeclaredFile | undefined {
  const all = marksAt(place);
  if (all.length === 0) return undefined;
  for (const dialect of DIALECTS) {
    const marks = dialect.marks(all);
    if (marks.length > 0) return declaredBy(marks, dialect);
  }
  return undefined;
}

/** The same in every dialect that declares one, the first that counts first, with what the writer of its value must know. */
export function declaredFiles(
  place: readonly Applied[],
  dialects: readonly Dialect[],
): (DeclaredFile & Pick<FileDeclaration, 'allowedMembers' | 'transferModes'>)[] {
  const all = marksAt(place);
  if (all.length === 0) return [];
  return dialects.flatMap(dialect => {
    const marks = dialect.marks(all);
    if (marks.length === 0) return [];
    const allowedMembers = dialect.writesObject ? listedMembers(marks, place) : undefined;
    const transferModes = [...new Set(marks.flatMap(mark => mark.keyword.transferModes ?? []))];
    return [
      {
        ...declaredBy(marks, dialect),
        ...(allowedMembers && { allowedMembers }),
        ...(transferModes.length > 0 && { transferModes }),
      },
    ];
  });
}

function marksAt(place: readonly Applied[]): Mark[] {
  return place.filter((applied): applied is Mark => applied.keyword !== undefined);
}

function declaredBy(marks: readonly Mark[], dialect: Dialect): DeclaredFile {
  const always = marks.filter(mark => mark.sure).map(mark => mark.keyword);
  const branches = marks.filter(mark => !mark.sure).map(mark => mark.keyword);
  const accept = always.find(keyword => keyword.accept)?.accept ?? acceptOfAny(branches);
  const maxSizes = [...always.map(keyword => keyword.maxSize), maxSizeOfAny(branches)];
  const limits = maxSizes.filter(limit => limit !== undefined);
  return {
    ...(accept && { accept }),
    ...(limits.length > 0 && { maxSize: limits.reduce((least, limit) => Math.min(least, limit)) }),
    dialect: dialect.name,
  };
}

/** Of branches that exclude each other any may be meant: what one of them takes is taken. Too many: all is taken. */
function acceptOfAny(branches: readonly FileKeyword[]): string[] | undefined {
  if (branches.length === 0 || branches.some(keyword => !keyword.accept)) return undefined;
  const count = branches.reduce((sum, keyword) => sum + (keyword.accept?.length ?? 0), 0);
  return count > MAX_PATTERNS ? undefined : [...new Set(branches.flatMap(keyword => keyword.accept ?? []))];
}

function maxSizeOfAny(branches: readonly FileKeyword[]): number | undefined {
  if (branches.length === 0 || branches.some(keyword => keyword.maxSize === undefined)) return undefined;
  return branches.reduce((most, keyword) => Math.max(most, keyword.maxSize ?? 0), 0);
}

/** The members that the object may have; `undefined` where its schemas are open. */
function listedMembers(marks: readonly Mark[], place: readonly Applied[]): ReadonlySet<string> | undefined {
  const listedAnywhere = new Set(place.flatMap(({ node }) => names(node)));
  const closed = (isMeant: (applied: Applied) => boolean) => {
    const meant = place.filter(applied => applied.types & OBJECT && isMeant(applied));
    return [...new Set(meant.flatMap(({ node }) => closedList(node, listedAnywhere) ?? []))];
  };
  const always = closed(applied => applied.sure);
  // Of several branches those that belong to the keyword; one from the tool's `_meta` belongs to all of them.
  const fromMeta = marks.some(mark => mark.node[DECLARED]);
  const branches = closed(applied => !applied.sure && (applied.marked || fromMeta));
  const lists = branches.length > 0 ? [...always, new Set(branches.flatMap(list => [...list]))] : always;
  return lists[0] && new Set([...lists[0]].filter(name => lists.every(list => list.has(name))));
}

/** The members a schema lists, if it takes no others. */
function closedList(node: Applied['node'], listedAnywhere: ReadonlySet<string>): ReadonlySet<string> | undefined {
  // With patterns the list has no end, and asking each of them is not worth a rule.
  if (Object.keys(objectMember(node, 'patternProperties') ?? {}).length > 0) return undefined;
  if (member(node, 'additionalProperties') === false) return new Set(names(node));
  // "unevaluated" sees what the other schemas at this place list as well.
  return member(node, 'unevaluatedProperties') === false ? listedAnywhere : undefined;
}

function names(node: Applied['node']): string[] {
  return Object.keys(objectMember(node, 'properties') ?? {});
}
