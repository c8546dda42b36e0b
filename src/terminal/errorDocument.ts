import type { JsonObject } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { type ErrorCause, type Place, ToolError } from '../base/toolError.ts';
import { type ExitCode, retryOf } from './exitCode.ts';
import { version } from './version.ts';

/** The member `error` of a document (`errorSchema.ts`). */
export function errorToJson(error: unknown, code: ExitCode): JsonObject {
  if (!(error instanceof ToolError)) return { ...causeToJson(ownMistake(error)), retry: retryOf('internal', code) };
  const { causes } = error;
  return {
    ...causeToJson(error),
    ...present({ causes: causes.length === 0 ? undefined : causes.map(causeToJson) }),
    retry: retryOf(error.code, code),
  };
}

function causeToJson({ code, message, hint, resource, place, construct, callers }: ErrorCause): JsonObject {
  return {
    code,
    message,
    ...present({ hint, resource, place: place === undefined ? undefined : placeToJson(place) }),
    ...present({ construct, callers: callers?.map(placeToJson) }),
  };
}

function placeToJson({ file, line, column }: Place): JsonObject {
  return { file, ...present({ line, column }) };
}

/** The stack is printed on standard error; this is the part for programs. */
export function ownMistake(error: unknown): ErrorCause {
  return {
    code: 'internal',
    message: error instanceof Error ? `${error.name}: ${error.message}` : 'something was thrown that is not an error',
    hint: `This is a mistake in Gantry ${version}. Please report it with what is on standard error.`,
  };
}
