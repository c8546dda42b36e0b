import { quantityValue } from '../../base/text/quantity.ts';
import { suggest } from '../../base/text/suggest.ts';
import {
  creatableKinds,
  isGvcScoped,
  isOfWorkload,
  isOrg,
  type KnownKind,
  knownKind,
  readOnlyKinds,
} from '../../schema/record/kinds.ts';
import { parseLink, refTo, shortLinkOf } from '../../schema/record/ref.ts';
import type { FunctionSchema, ParameterSchema } from '../attribute.ts';
import type { Value } from '../value.ts';

/** A problem of an argument, by position. Terraform adds a period to the message. */
export class ArgumentError extends Error {
  readonly argument: number;

  constructor(argument: number, message: string) {
    super(message);
    this.argument = argument;
  }
}

/** A function of the provider, without access to the provider block: Terraform calls it without one. */
export interface ProviderFunction extends FunctionSchema {
  /** Errors: `ArgumentError`. */
  readonly call: (args: readonly string[]) => Value;
}

function text(name: string, description: string): ParameterSchema {
  return { name, type: 'string', description };
}

/** Deployments are in a workload, and the org has no link in any org. */
const linkedKinds: readonly KnownKind[] = [...creatableKinds, ...readOnlyKinds].filter(
  (kind) => !isOfWorkload(kind) && !isOrg(kind),
);

const knownKinds = `Available: ${linkedKinds.join(', ')}`;

/** By name; every argument is a text. */
export const functions: Readonly<Record<string, ProviderFunction>> = {
  link: {
    summary: 'The link to a resource',
    description:
      'The link to a resource that this configuration does not have, in the form that is valid in any org: ' +
      '`provider::gantry::link("secret", "db")` is `//secret/db`. For a resource of the configuration write its ' +
      '`link`, so that Terraform knows what waits for what.',
    parameters: [
      text('kind', 'The kind: `secret`, `workload`, `location`, …'),
      text('name', 'The name of the resource.'),
    ],
    variadic: text('gvc', 'The GVC that it is in: for identities, volume sets and workloads, and only for these.'),
    returns: 'string',
    call: link,
  },
  parse_link: {
    summary: 'The parts of a link',
    description:
      'The org, kind, GVC and name that a link names, in any form that the platform has: `/org/acme/secret/db`, ' +
      '`//gvc/shop/workload/web`, `https://HOST/org/…`. `org` is null where the link does not say it, `gvc` where the ' +
      'kind is in none.',
    parameters: [text('link', 'The link.')],
    returns: ['object', { org: 'string', kind: 'string', gvc: 'string', name: 'string' }],
    call: parsedLink,
  },
  quantity: {
    summary: 'The value of a quantity',
    description:
      'Cores or bytes as a number, to compare and to add: `provider::gantry::quantity("500m")` is 0.5, ' +
      '`provider::gantry::quantity("128Mi")` is 134217728.',
    parameters: [text('text', 'An amount of CPU or memory, as the platform writes it.')],
    returns: 'number',
    call: ([written = '']) => {
      const value = quantityValue(written);
      if (value !== undefined) return value;
      throw new ArgumentError(0, `${JSON.stringify(written)} is not a quantity. Write it as 500m, 0.5, 128Mi or 1G`);
    },
  },
};

function link([kindName = '', name = '', gvc, ...rest]: readonly string[]): string {
  const kind = linkedKinds.find((each) => each === kindName);
  if (kind === undefined) {
    const wrong = `${JSON.stringify(kindName)} is not a kind`;
    const meant = suggest(kindName, linkedKinds);
    throw new ArgumentError(0, meant === undefined ? `${wrong}. ${knownKinds}` : `Did you mean ${meant}? ${wrong}`);
  }
  requireSegment(name, 1, 'a name');
  if (rest.length > 0) throw new ArgumentError(3, 'There are too many arguments: kind, name and gvc are all');
  if (!isGvcScoped(kind)) {
    if (gvc === undefined) return shortLinkOf({ kind, name });
    throw new ArgumentError(2, `The kind ${kind} is not in a GVC. Leave out the third argument`);
  }
  if (gvc === undefined) throw new ArgumentError(1, `The kind ${kind} is in a GVC. Name the GVC as third argument`);
  requireSegment(gvc, 2, 'the name of a GVC');
  return shortLinkOf(refTo(kind, name, gvc));
}

function requireSegment(value: string, argument: number, what: string): void {
  if (/^[^/\s]+$/.test(value)) return;
  throw new ArgumentError(argument, `${JSON.stringify(value)} is not ${what}`);
}

/** The org of a link without one; no org has this name. */
const noOrg = '*';

function parsedLink([written = '']: readonly string[]): Value {
  const found = parseLink(written, { org: noOrg });
  if (found === undefined || knownKind(found.ref.kind) === undefined) {
    throw new ArgumentError(
      0,
      `${JSON.stringify(written)} is not a link. Write //KIND/NAME, //gvc/GVC/KIND/NAME, or the same behind /org/ORG`,
    );
  }
  const { org, ref } = found;
  return { org: org === noOrg ? null : org, kind: ref.kind, gvc: ref.gvc ?? null, name: ref.name };
}
