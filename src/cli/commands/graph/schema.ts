import {
  choice,
  described,
  flag,
  list,
  object,
  objectOf,
  optional,
  publishedForm,
  text,
} from '../../../base/form/form.ts';
import { errorMember } from '../../../kinds/published/errorSchema.ts';

const id = described('kind/[gvc/]name', text);
const node = object({
  id,
  kind: text,
  external: optional(described('Referred to, but not declared.', choice(true))),
});
const link = object({
  from: id,
  to: id,
  because: described('The field that refers to it, or the reason.', text),
  soft: described('The link does not delay the creation of what has it.', flag),
});
const graph = object({ nodes: list(node), links: list(link), error: optional(objectOf(errorMember)) });

/** The JSON Schema of `gantry graph -o json`. */
export const graphSchema = publishedForm('graph', 'Gantry graph', graph);
