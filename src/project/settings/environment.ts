import { described, dictionary, type Reader } from '../../base/form/read.ts';
import { isObject } from '../../base/json/json.ts';
import { suggest } from '../../base/text/suggest.ts';
import { available } from '../../base/text/suggestion.ts';
import { ToolError } from '../../base/toolError.ts';
import type { NamedValues, Values } from '../../manifest/outsidePlaces.ts';
import { limits } from './limits.ts';
import { price } from './price.ts';
import { duration, type MembersOf, name, object, path, text, withDescriptions } from './setting.ts';
import type { EnvironmentSetting } from './settingsTable.ts';
import { signers } from './signers.ts';

const values = described(
  'The values that replace ${' + 'values.PATH} in manifests, and that stacks read from app.environment.values.',
  {
    schema: { type: ['object', 'null'] },
    read(value, at): Values {
      if (!isObject(value)) throw at.bad('must be an object such as `values: {replicas: 2}`');
      const { written, locate } = at.source;
      return {
        values: value,
        written: (pointer) => written?.([...at.pointer, ...pointer]),
        locate: locate === undefined ? undefined : (pointer, of) => locate([...at.pointer, ...pointer], of),
      };
    },
  } satisfies Reader<Values>,
);

const members = {
  org: text,
  gvc: text,
  endpoint: text,
  profile: text,
  stack: name,
  dialect: path,
  'consistency-timeout': duration,
  price,
  signers,
  limits,
  values,
} satisfies Readonly<Record<EnvironmentSetting | 'limits' | 'values', Reader<unknown>>>;

/** One of `environments`: it overrides the settings next to it. */
export type EnvironmentSettings = MembersOf<typeof members>;

export type Environments = ReadonlyMap<string, EnvironmentSettings>;

const environmentName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const environment = object(withDescriptions(members), 'prod: {org: acme}');

/** `dev:` without a value is also an environment. */
const environmentOrEmpty: Reader<EnvironmentSettings> = {
  ...environment,
  read: (value, at) => (value === null ? {} : environment.read(value, at)),
};

export const environments: Reader<Environments> = dictionary(environmentOrEmpty, {
  name: environmentName,
  what: 'the name of an environment: use at most 64 letters, digits, hyphens and underscores',
  expected: 'an object such as `environments: {dev: {org: acme-dev}, prod: {org: acme}}`',
});

export interface ChosenEnvironment {
  readonly name: string;
  readonly settings: EnvironmentSettings;
}

/** The values of the environment for manifests and stacks. */
export function valuesOf({ name, settings }: ChosenEnvironment): NamedValues {
  const { values = { values: {}, written: () => undefined, locate: undefined } } = settings;
  return { ...values, environment: name };
}

/**
 * Chooses an environment of `gantry.yaml`; undefined if it has none. Errors: `settings.environment` if none is named,
 * or an unknown one, because it is never guessed.
 */
export function chooseEnvironment(
  all: Environments | undefined,
  name: string | undefined,
): ChosenEnvironment | undefined {
  if (all === undefined || all.size === 0) return undefined;
  const names = [...all.keys()];
  const availableNames = available(names);
  if (name === undefined) {
    throw environmentError(
      'no environment was chosen',
      `Choose one: --env NAME, GANTRY_ENV, or env: NAME in gantry.yaml. ${availableNames}`,
    );
  }
  const settings = all.get(name);
  if (settings !== undefined) return { name, settings };
  const suggestion = suggest(name, names);
  throw environmentError(
    `gantry.yaml has no environment ${JSON.stringify(name)}`,
    suggestion === undefined ? availableNames : `Did you mean ${suggestion}? ${availableNames}`,
  );
}

function environmentError(message: string, hint: string): ToolError {
  return new ToolError({ code: 'settings.environment', message, hint });
}
