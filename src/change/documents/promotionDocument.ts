import { choice, described, flag, json, list, object, optional, publishedForm, text } from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { positionForm } from '../../plan/model/change.ts';
import type { Promotion, Side } from '../promotion.ts';

const side = object({
  value: optional(described('Absent for a whole resource; {"sensitive": true, ...} for a secret.', json)),
  at: described('Where it is written; in gantry.yaml where it is a value.', positionForm),
  values: described('The values that it is made of.', list(text)),
});

const difference = object({
  resource: described('kind/[gvc/]name, in the environment that is promoted to if it is there.', text),
  path: described('Dotted; empty for a resource that only one of them declares.', text),
  from: optional(side),
  to: optional(side),
  mayDiffer: described('promotion.may-differ of gantry.yaml has it.', flag),
});

const carried = object({
  value: described('values.PATH', text),
  from: optional(described('Absent for a secret.', json)),
  to: optional(described('As it was; absent for a secret, and where there was none.', json)),
});

/** The output of `gantry promote -o json`. */
export const promotionForm = object({
  formatVersion: choice(1),
  from: text,
  to: text,
  differs: described(
    'Something differs that must not differ, or a value is carried over. --detailed-exitcode: 2.',
    flag,
  ),
  written: described('What is carried was written into gantry.yaml.', flag),
  carried: described('Values that are carried over; without --write, those that would be.', list(carried)),
  differences: described('Ordered by resource and path; of what was written, as it is now.', list(difference)),
});

/** The JSON Schema of `gantry promote -o json`; `gantry schema promotion` prints it. */
export const promotionSchema: JsonObject = publishedForm('promotion', 'Gantry promotion, format 1', promotionForm);

/** Whether anything remains to be done or decided. */
export function differs({ carried: values, differences }: Promotion): boolean {
  return values.length > 0 || differences.some(({ mayDiffer }) => !mayDiffer);
}

export function promotionToJson(promotion: Promotion): JsonObject {
  return promotionForm.write({
    ...promotion,
    formatVersion: 1,
    differs: differs(promotion),
    written: promotion.isWritten,
    carried: promotion.carried.map(({ path, from, to }) => ({ value: `values.${path.join('.')}`, from, to })),
    differences: promotion.differences.map(({ from, to, ...difference }) => ({
      ...difference,
      from: from && sideToJson(from),
      to: to && sideToJson(to),
    })),
  });
}

function sideToJson({ values, ...side }: Side) {
  return { ...side, values: values.map((path) => path.join('.')) };
}
