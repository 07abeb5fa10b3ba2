/** What an object schema of the draft, or a string schema of its predecessors, says of a file and not of its handle. */
export const ABOUT_THE_FILE: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'default', 'examples', 'example', 'nullable'],
  ...['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'required'],
  ...['minProperties', 'maxProperties', 'dependentSchemas', 'dependentRequired', 'dependencies'],
  ...['format', 'pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

/** What is said of a list, whatever its items are. */
export const ABOUT_THE_LIST: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains'],
]);

/** Values and no schemas, or schemas that no file stands by: as they are. */
export const NO_PLACES: ReadonlySet<string> = new Set([
  ...['default', 'examples', 'example', 'enum', 'const', 'required', 'type', 'not', 'propertyNames', 'contentSchema'],
]);

/** Names of the schema itself: a copy of it elsewhere must not have them too. */
export const NAMES: ReadonlySet<string> = new Set(['$id', 'id', '$anchor', '$dynamicAnchor', '$defs', 'definitions']);
