import { expect, test } from 'vitest';
import { chooseEnvironment } from '../../../src/project/settings/environment.ts';
import { resolveSettings } from '../../../src/project/settings/resolveSettings.ts';
import { parseSettings } from '../../../src/project/settings/settingsFile.ts';
import { settingDescription } from '../../../src/project/settings/settingsTable.ts';

type Place = 'flag' | 'variable' | 'named profile' | 'environment' | 'its profile' | 'file' | 'default profile';

/** docs/settings.md: the places that can contain a setting, the winner first. */
const places: Readonly<Record<'org' | 'endpoint' | 'gvc' | 'stack' | 'data' | 'dialect', readonly Place[]>> = {
  org: ['flag', 'variable', 'named profile', 'environment', 'its profile', 'file', 'default profile'],
  endpoint: ['flag', 'variable', 'named profile', 'environment', 'its profile', 'file', 'default profile'],
  gvc: ['flag', 'variable', 'environment', 'file'],
  stack: ['flag', 'variable', 'environment', 'file'],
  data: ['flag', 'variable', 'file'],
  dialect: ['flag', 'variable', 'environment', 'file'],
};

/** A value for each place, as it is read: with absolute paths. */
function valueAt(name: keyof typeof places, place: Place): string {
  const word = place.replaceAll(' ', '-');
  const value = name === 'endpoint' ? `https://${word}.example.com` : `${name}-${word}`;
  const isPath = (name === 'data' || name === 'dialect') && (place === 'environment' || place === 'file');
  return isPath ? `/shop/${value}` : value;
}

/** The resolved setting if all of these places contain it, and a profile has a GVC. */
function resolved(name: keyof typeof places, said: readonly Place[]): string | undefined {
  const at = (place: Place) => (said.includes(place) ? { [name]: valueAt(name, place) } : {});
  const file = parseSettings({ ...at('file'), environments: { prod: at('environment') } }, '/shop/gantry.yaml');
  const profiles = { user: 'named profile', environment: 'its profile', nobody: 'default profile' } as const;
  const namedBy = (['user', 'environment', 'nobody'] as const).find((by) => said.includes(profiles[by]));
  return resolveSettings({
    flags: at('flag'),
    environment: said.includes('variable') ? { [`GANTRY_${name.toUpperCase()}`]: valueAt(name, 'variable') } : {},
    chosen: chooseEnvironment(file.environments, 'prod'),
    file,
    profile:
      namedBy === undefined
        ? undefined
        : { name: 'mine', namedBy, profile: { gvc: 'other', ...at(profiles[namedBy]) } },
  })[name];
}

const names = ['org', 'endpoint', 'gvc', 'stack', 'data', 'dialect'] as const;

test.each(names)('%s: each place overrides the places after it', (name) => {
  const order = places[name];
  const winners = order.map((_, index) => resolved(name, order.slice(index)));
  expect(winners).toEqual(order.map((place) => valueAt(name, place)));
});

test('consistency-timeout: the variable overrides the environment, which overrides the rest of gantry.yaml', () => {
  const timeout = (variable: string | undefined, ofEnvironment: string | undefined, ofFile: string | undefined) => {
    const file = parseSettings(
      { 'consistency-timeout': ofFile, environments: { prod: { 'consistency-timeout': ofEnvironment } } },
      '/shop/gantry.yaml',
    );
    const environment = { GANTRY_CONSISTENCY_TIMEOUT: variable };
    const chosen = chooseEnvironment(file.environments, 'prod');
    return resolveSettings({ flags: {}, environment, chosen, file }).consistencyTimeoutMs;
  };
  expect(timeout('1m30s', '30s', '20s')).toBe(90_000);
  expect(timeout('', '30s', '20s')).toBe(30_000);
  expect(timeout(undefined, undefined, '20s')).toBe(20_000);
  expect(timeout(undefined, undefined, undefined)).toBeUndefined();
  expect(() => timeout('90', undefined, undefined)).toThrow('GANTRY_CONSISTENCY_TIMEOUT is no duration with a unit');
  expect(() => timeout(undefined, undefined, '90')).toThrow('must be a duration with a unit, such as 30s, 5m or 1h');
});

test('the GVC of a profile does not apply to a stack', () => {
  expect(resolved('gvc', ['named profile'])).toBeUndefined();
});

test.each(['', 'a/b', '..', 'a b', '__proto__'])('%j is refused as the name of an org or a GVC', (name) => {
  const code = (setting: string) => expect.objectContaining({ code: `settings.${setting}` });
  for (const setting of ['org', 'gvc']) {
    const sources = { environment: {}, file: parseSettings({}, '/shop/gantry.yaml') };
    expect(() => resolveSettings({ ...sources, flags: { [setting]: name } })).toThrow(code(setting));
  }
});

test.each([
  ['//gvc/shop', 'shop'],
  ['/org/acme/gvc/shop', 'shop'],
  ['//secret/shop', 'is a link to a secret, not to a gvc'],
  ['/org/other/gvc/shop', 'is in the org other, not in acme'],
  ['//gvc/shop/workload/web', 'is a link to a workload, not to a gvc'],
])('the GVC %s is given by its link: %s', (gvc, expected) => {
  const sources = { environment: {}, file: parseSettings({}, '/shop/gantry.yaml') };
  const read = () => resolveSettings({ ...sources, flags: { org: 'acme', gvc } }).gvc;
  if (expected === 'shop') expect(read()).toBe(expected);
  else expect(read).toThrow(expected);
});

test.each([
  { name: 'stack', is: 'Name of the stack; what it owns carries it in the tag `gantry/stack`.' },
  { name: 'token', is: 'Token for the platform; the variable and profiles keep it out of files that others read.' },
  { name: 'project', is: 'An id that makes the name of the stack unique.' },
  { name: 'kinds', is: 'Kinds that Gantry does not know, by name: `{widget: {scope: gvc}}`.' },
  { name: 'policies', is: 'The rules that every stack of the project must satisfy.' },
  { name: 'data', is: 'Data folder of the platform on this machine, or `:memory:`. Default: .gantry.' },
] as const)('the JSON Schema of gantry.yaml describes $name as the documents do', ({ name, is }) => {
  expect(settingDescription(name)).toBe(is);
});
