import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { problemForm } from '../../plan/documents/validationDocument.ts';
import type { JsonObject } from '../../schema/json/json.ts';

/** A problem for programs. */
export function problemToJson({ position, ...problem }: LocatedProblem): JsonObject {
  return problemForm.write({ ...position, ...problem });
}
