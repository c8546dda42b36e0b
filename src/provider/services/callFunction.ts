import { ArgumentError, functions } from '../../hcl/schema/functions.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { functionMessages } from '../protocol/schemaMessages.ts';
import { readValue, writeValue } from '../protocol/values.ts';

export function getFunctions(): ResponseOf<'GetFunctions'> {
  return { functions: functionMessages(functions) };
}

/** Needs no platform, because Terraform calls functions without a provider block. */
export function callFunction({
  name = '',
  arguments: given = [],
}: RequestOf<'CallFunction'>): ResponseOf<'CallFunction'> {
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (called === undefined) return { error: { text: `this version of the provider has no function ${name}` } };
  const args = given.map((each) => readValue(each, 'string'));
  try {
    return { result: writeValue(called.call(args.map(String))) };
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return { error: { text: error.message, function_argument: error.argument } };
  }
}
