import { isObject, type JsonObject, type JsonValue, own, stringAt } from '../../base/json/json.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup, type Subject } from '../../schema/rules/rule.ts';
import { type Complain, objectForms, textForms } from './secretForms.ts';

const dictionaryKey = /^[-._a-zA-Z0-9]+$/;

/** The values are secret: messages name keys and forms, never a value. */
const form: RuleOf<Subject> = {
  id: 'S1',
  section: 'secret.data',
  title: 'The data of a secret has exactly the form of its type.',
  severity: 'error',
  fix: 'Write the data that the type needs, or choose another type.',
  record({ record }, report) {
    const [type, value] = [stringAt(record, 'type'), own(record, 'data')];
    if (type === undefined || value === undefined) return;
    checkForm(type, value, (pointer, message) => report(['data', ...pointer], `${message} (type ${type})`));
  },
};

function checkForm(type: string, value: JsonValue, complain: Complain): void {
  const objectForm = objectForms.get(type);
  const textForm = textForms.get(type);
  if (type === 'dictionary') checkDictionary(value, complain);
  else if (objectForm !== undefined) {
    if (!isObject(value)) {
      complain([], 'data must be an object');
      return;
    }
    const { required, optional } = objectForm;
    checkKeys(value, required, optional, complain);
    objectForm.check(value, complain);
  } else if (textForm !== undefined) {
    const parsed = typeof value === 'string' ? parseObject(value) : undefined;
    if (parsed === undefined) complain([], 'data must be the text of a JSON object');
    else textForm(parsed, complain);
  }
}

function checkKeys(
  value: JsonObject,
  required: readonly string[],
  optional: readonly string[],
  complain: Complain,
): void {
  const expected = [...required, ...optional].join(', ');
  for (const key of required) if (!Object.hasOwn(value, key)) complain([key], `${key} is missing`);
  for (const key of Object.keys(value)) {
    if (!required.includes(key) && !optional.includes(key))
      complain([key], `${show(key)} is not allowed, only ${expected}`);
  }
}

function checkDictionary(value: JsonValue, complain: Complain): void {
  if (!isObject(value)) {
    complain([], 'data must be an object');
    return;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) complain([], 'the dictionary may not be empty');
  for (const [key, entry] of entries) {
    if (!dictionaryKey.test(key))
      complain([key], `${show(key)} is not a key of a dictionary: letters, digits, "-", "." and "_"`);
    if (typeof entry !== 'string') complain([key], `the value of ${show(key)} must be text`);
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const sameType: RuleOf<Subject> = {
  id: 'secret.type',
  section: 'secret.data',
  title: 'The type of a secret cannot be changed.',
  severity: 'error',
  fix: 'Delete the secret and create it with the new type.',
  change(before, after, report) {
    const [was, is] = [stringAt(before.record, 'type'), stringAt(after.record, 'type')];
    if (was !== undefined && was !== is)
      report(['type'], `the type cannot be changed from ${show(was)} to ${show(is)}`);
  },
};

export const secretRules = ruleGroup(['secret'], (subject) => subject, [form, sameType]);
