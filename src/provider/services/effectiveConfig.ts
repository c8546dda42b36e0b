import type { Attribute, Attributes } from '../../hcl/attribute.ts';
import {
  attributeOf,
  isListValue,
  isObjectValue,
  type ObjectValue,
  sameValue,
  unknown,
  type Value,
} from '../../hcl/value.ts';

/**
 * The configuration of an update as it was planned. Terraform applies `ignore_changes` to the configuration of a plan and
 * not to that of an apply: where the two differ, the plan is what was approved.
 */
export function effectiveConfig(
  attributes: Attributes,
  config: ObjectValue,
  planned: ObjectValue,
  prior: ObjectValue,
): ObjectValue {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const wanted = attributeOf(config, name);
      if (attribute.writeOnly === true) return [name, wanted];
      return [name, effective(attribute, wanted, attributeOf(planned, name), attributeOf(prior, name))];
    }),
  );
}

function effective(attribute: Attribute, config: Value, planned: Value, prior: Value): Value {
  if (planned === unknown) return config;
  // What is not set has its default, or stays as it is.
  if (config === null) return planned !== null && sameValue(planned, prior) ? planned : null;
  if ('type' in attribute || planned === null) return planned;
  const { attributes, nesting } = attribute;
  const inside = (each: Value, plan: Value, old: Value): Value =>
    isObjectValue(each) && isObjectValue(plan)
      ? effectiveConfig(attributes, each, plan, isObjectValue(old) ? old : {})
      : plan;
  if (nesting === 'single') return inside(config, planned, prior);
  if (isListValue(planned)) {
    const [wanted, old] = [itemsOf(config), itemsOf(prior)];
    if (nesting !== 'list' || wanted.length !== planned.length) return planned;
    return planned.map((item, at) => inside(wanted[at] ?? null, item, old[at] ?? null));
  }
  if (!isObjectValue(planned) || !isObjectValue(config)) return planned;
  const before = isObjectValue(prior) ? prior : {};
  return Object.fromEntries(
    Object.entries(planned).map(([key, item]) => [
      key,
      inside(attributeOf(config, key), item, attributeOf(before, key)),
    ]),
  );
}

function itemsOf(value: Value): readonly Value[] {
  return isListValue(value) ? value : [];
}
