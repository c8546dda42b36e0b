import { expect, test } from 'vitest';
import { ArgumentError, functions } from '../../src/hcl/schema/functions.ts';

/** The result, or `argument N: problem`. Terraform appends a period, so the text has none. */
function called(name: string, ...args: readonly string[]): unknown {
  try {
    return functions[name]?.call(args);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    expect(error.message).not.toMatch(/[.?]$/);
    return `argument ${error.argument}: ${error.message}`;
  }
}

test.each([
  [['secret', 'db'], '//secret/db'],
  [['location', 'aws-eu-central-1'], '//location/aws-eu-central-1'],
  [['workload', 'web', 'shop'], '//gvc/shop/workload/web'],
  [['image', 'shop:1.4.0'], '//image/shop:1.4.0'],
  [['workload', 'web'], 'argument 1: The kind workload is in a GVC. Name the GVC as third argument'],
  [['secret', 'db', 'shop'], 'argument 2: The kind secret is not in a GVC. Leave out the third argument'],
  [['workload', 'web', 'shop', 'more'], 'argument 3: There are too many arguments: kind, name and gvc are all'],
  [['secrte', 'db'], 'argument 0: Did you mean secret? "secrte" is not a kind'],
  [['org', 'acme'], expect.stringContaining('argument 0: "org" is not a kind. Available: agent, ')],
  [['toString', 'db'], expect.stringContaining('argument 0: "toString" is not a kind. Available: ')],
  [['secret', ''], 'argument 1: "" is not a name'],
  [['secret', 'a/b'], 'argument 1: "a/b" is not a name'],
  [['workload', 'web', 'a/b'], 'argument 2: "a/b" is not the name of a GVC'],
])('link(%o)', (args, expected) => {
  expect(called('link', ...args)).toEqual(expected);
});

test.each([
  ['//secret/db', { org: null, kind: 'secret', gvc: null, name: 'db' }],
  ['/org/acme/secret/db', { org: 'acme', kind: 'secret', gvc: null, name: 'db' }],
  ['//gvc/shop/workload/web', { org: null, kind: 'workload', gvc: 'shop', name: 'web' }],
  ['https://example.com/api/org/acme/gvc/shop', { org: 'acme', kind: 'gvc', gvc: null, name: 'shop' }],
  ['/org/acme', { org: 'acme', kind: 'org', gvc: null, name: 'acme' }],
  ['db', expect.stringContaining('argument 0: "db" is not a link. Write //KIND/NAME')],
  ['//secrte/db', expect.stringContaining('is not a link')],
  ['//workload/web', expect.stringContaining('is not a link')],
  ['', expect.stringContaining('is not a link')],
])('parse_link(%o)', (text, expected) => {
  expect(called('parse_link', text)).toEqual(expected);
});

test.each([
  ['500m', 0.5],
  ['0.25', 0.25],
  ['128Mi', 134_217_728],
  ['1G', 1_000_000_000],
  ['much', 'argument 0: "much" is not a quantity. Write it as 500m, 0.5, 128Mi or 1G'],
])('quantity(%o)', (text, expected) => {
  expect(called('quantity', text)).toEqual(expected);
});
