/** Has the text a UTF-8 form? Half a surrogate pair has none; `isWellFormed` is not in every runtime. */
export function isWellFormed(text: string): boolean {
  const native = text as string & { isWellFormed?(): boolean };
  if (native.isWellFormed !== undefined) return native.isWellFormed();
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
