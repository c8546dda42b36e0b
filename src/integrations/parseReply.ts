import { isObject, type JsonObject } from '../base/json/json.ts';
import { ToolError } from '../base/toolError.ts';

/** Errors: `ci.forge`, where the reply is not JSON (a proxy's page). */
export function parseJson(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw unexpectedReply(`${what}: the reply is not JSON`, error);
  }
}

export function objectIn(value: unknown, what: string): JsonObject {
  if (isObject(value)) return value;
  throw unexpectedReply(`${what}: the reply is not an object`);
}

export function objectsIn(value: unknown, what: string): readonly JsonObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw unexpectedReply(`${what}: the reply is not a list of objects`);
}

export function unexpectedReply(message: string, cause?: unknown): ToolError {
  return new ToolError({
    code: 'ci.forge',
    message,
    hint: 'Does the address of the API lead to the forge, or to a proxy?',
    cause,
  });
}
