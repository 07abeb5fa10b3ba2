/** JSON-RPC 2.0, section 5.1. */
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
