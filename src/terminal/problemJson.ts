import type { JsonObject } from '../base/json/json.ts';
import { problemForm } from '../change/documents/validationDocument.ts';
import type { LocatedProblem } from '../manifest/model/locatedProblem.ts';

export function problemToJson({ position, ...problem }: LocatedProblem): JsonObject {
  return problemForm.write({ ...position, ...problem });
}
