import type { JsonObject } from '../../../src/base/json/json.ts';
import { openApiSteps } from '../../../src/server/api/openapi/document.ts';
import { routes } from '../../../src/server/routeTable.ts';

/** The document that the platform serves as `/openapi.json`. */
function made(): JsonObject {
  const steps = openApiSteps(routes);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export const openApiDocument = made();
