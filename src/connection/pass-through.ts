/**
 * A result schema that accepts everything and changes nothing. v2 takes any Standard Schema; v1 takes it for a zod 3
 * schema, of which it calls `safeParse` alone.
 */
export const PASS_THROUGH = {
  '~standard': { version: 1, vendor: 'mcp-files-client', validate: (value: unknown) => ({ value }) },
  safeParse: (data: unknown) => ({ success: true, data }),
  parse: (data: unknown) => data,
} as const;
