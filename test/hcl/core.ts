import { type Attribute, type Attributes, isBlock } from '../../src/hcl/attribute.ts';
import { attributeOf, isListValue, isObjectValue, sameValue, unknown, type Value } from '../../src/hcl/value.ts';
import { pathText } from '../../src/hcl/values/manifestOf.ts';

type Path = readonly (string | number)[];

/** The errors of Terraform's core for a plan (`AssertPlanValid`): none may ever occur. */
export function planFaults(attributes: Attributes, prior: Value, config: Value, planned: Value): readonly string[] {
  const faults: string[] = [];
  objectPlan(attributes, prior, config, planned, [], faults);
  return faults;
}

function objectPlan(
  attributes: Attributes,
  prior: Value | undefined,
  config: Value | undefined,
  planned: Value,
  path: Path,
  faults: string[],
): void {
  if (!isObjectValue(planned)) return;
  const names = Object.keys(attributes);
  for (const name of Object.keys(planned)) if (!names.includes(name)) faults.push(`${pathText(path)} has ${name}`);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!Object.hasOwn(planned, name)) faults.push(`${pathText([...path, name])} is absent`);
    attributePlan(
      attribute,
      inside(prior, name),
      inside(config, name),
      attributeOf(planned, name),
      [...path, name],
      faults,
    );
  }
}

function inside(value: Value | undefined, name: string): Value {
  return isObjectValue(value) ? attributeOf(value, name) : null;
}

function attributePlan(
  attribute: Attribute,
  prior: Value,
  config: Value,
  planned: Value,
  path: Path,
  faults: string[],
): void {
  if (attribute.writeOnly) {
    if (planned !== null) faults.push(`${pathText(path)}: write-only, but planned`);
    return;
  }
  if (sameValue(planned, config)) return;
  if (sameValue(planned, prior) && prior !== null && config !== null) return;
  if (attribute.computed && config === null) return;
  if ('attributes' in attribute) {
    if (isBlock(attribute) && attribute.nesting !== 'single' && planned !== unknown) {
      const [now, wanted] = [planned ?? [], config ?? []]; // A list of blocks is never null.
      if (JSON.stringify(Object.keys(now)) !== JSON.stringify(Object.keys(wanted))) {
        faults.push(`${pathText(path)}: block count disagrees`);
        return;
      }
    }
    if ((planned === null) !== (config === null)) {
      faults.push(`${pathText(path)}: planned for ${planned === null ? 'absence' : 'existence'}`);
      return;
    }
    if (planned === unknown) {
      faults.push(`${pathText(path)}: planned unknown for configured value`);
      return;
    }
    if (attribute.nesting === 'single') {
      objectPlan(attribute.attributes, prior, config, planned, path, faults);
    } else if (attribute.nesting === 'list') {
      if (!isListValue(planned) || !isListValue(config) || planned.length !== config.length) {
        faults.push(`${pathText(path)}: count disagrees`);
        return;
      }
      planned.forEach((item, index) => {
        if (item === unknown && config[index] !== unknown) faults.push(`${pathText([...path, index])}: unknown`);
        const old: Value | undefined = isListValue(prior) ? prior[index] : null;
        const wanted: Value | undefined = config[index];
        objectPlan(attribute.attributes, old, wanted, item, [...path, index], faults);
      });
    } else if (isObjectValue(planned)) {
      for (const [key, item] of Object.entries(planned)) {
        objectPlan(attribute.attributes, inside(prior, key), inside(config, key), item, [...path, key], faults);
      }
    }
    return;
  }
  faults.push(
    `${pathText(path)}: planned ${show(planned)} does not match config ${show(config)}, prior ${show(prior)}`,
  );
}

/** Its errors after an apply (`AssertObjectCompatible`): "Provider produced inconsistent result". */
export function applyFaults(planned: Value, actual: Value, path: Path = []): readonly string[] {
  return [
    ...changeFaults(planned, actual, path),
    ...(hasUnknown(actual) ? [`${JSON.stringify(Object.keys(actual ?? {}))} is not known after the apply`] : []),
  ];
}

/** Its errors for a plan made again with more known values: "Provider produced inconsistent final plan". */
export function changeFaults(planned: Value, actual: Value, path: Path = []): readonly string[] {
  if (planned === unknown) return [];
  if (isListValue(planned) && isListValue(actual) && planned.length === actual.length) {
    return planned.flatMap((item, index) => {
      const now: Value = actual[index] ?? null;
      return changeFaults(item, now, [...path, index]);
    });
  }
  if (isObjectValue(planned) && isObjectValue(actual)) {
    const names = new Set([...Object.keys(planned), ...Object.keys(actual)]);
    return [...names].flatMap((name) =>
      changeFaults(attributeOf(planned, name), attributeOf(actual, name), [...path, name]),
    );
  }
  return planned === actual ? [] : [`${pathText(path)}: was ${show(planned)}, but now ${show(actual)}`];
}

function hasUnknown(value: Value): boolean {
  if (value === unknown) return true;
  if (isListValue(value)) return value.some(hasUnknown);
  return isObjectValue(value) && Object.values(value).some(hasUnknown);
}

function show(value: Value): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'symbol' ? '(unknown)' : typeof each === 'bigint' ? String(each) : each,
    ) ?? ''
  );
}
