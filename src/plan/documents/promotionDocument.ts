import type { JsonObject } from '../../schema/json/json.ts';
import { choice, described, flag, json, list, type Of, object, optional, publishedForm, text } from '../model/form.ts';
import { positionForm } from '../model/position.ts';
import type { Promotion } from '../promotion/promotion.ts';

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

/** What `gantry promote -o json` prints. */
export const promotionForm = object({
  formatVersion: choice(1),
  from: text,
  to: text,
  differs: described('Something differs that may not, or something is carried. --detailed-exitcode: 2.', flag),
  written: described('What is carried was written into gantry.yaml.', flag),
  carried: described('Values that are carried over; without --write, those that would be.', list(carried)),
  differences: described('Ordered by resource and path; of what was written, as it is now.', list(difference)),
});
type PromotionDocument = Of<typeof promotionForm>;

/** The JSON Schema of `gantry promote -o json`; `gantry schema promotion` prints it. */
export const promotionSchema: JsonObject = publishedForm('promotion', 'Gantry promotion, format 1', promotionForm);

/** Something is to be done, or to be decided. */
export function differs({ carried: values, differences }: Promotion): boolean {
  return values.length > 0 || differences.some(({ mayDiffer }) => !mayDiffer);
}

export function promotionToJson(promotion: Promotion): JsonObject {
  const { from, to, isWritten } = promotion;
  const document: PromotionDocument = {
    formatVersion: 1,
    from,
    to,
    differs: differs(promotion),
    written: isWritten,
    carried: promotion.carried.map(({ path, from: before, to: after }) => ({
      value: `values.${path.join('.')}`,
      ...(before === undefined ? {} : { from: before }),
      ...(after === undefined ? {} : { to: after }),
    })),
    differences: promotion.differences.map(({ resource, path, from: before, to: after, mayDiffer }) => ({
      resource,
      path,
      ...(before === undefined ? {} : { from: sideToJson(before) }),
      ...(after === undefined ? {} : { to: sideToJson(after) }),
      mayDiffer,
    })),
  };
  return promotionForm.write(document);
}

function sideToJson({ value, at, values }: NonNullable<Promotion['differences'][number]['from']>) {
  return {
    ...(value === undefined ? {} : { value }),
    at: { file: at.file, line: at.line, column: at.column },
    values: values.map((path) => path.join('.')),
  };
}
