import { describe, expect, test } from 'vitest';
import { effectiveLimits, effectiveSigners } from '../../../src/project/settings/effectiveLimits.ts';
import { chooseEnvironment } from '../../../src/project/settings/environment.ts';
import { resolveSettings, type SettingsSources } from '../../../src/project/settings/resolveSettings.ts';
import { parseSettings } from '../../../src/project/settings/settingsFile.ts';

type Flags = SettingsSources['flags'];

interface Given {
  /** The settings of each environment; limits are added. */
  readonly environments: Readonly<Record<string, object | null>>;
  readonly beside?: object;
  readonly flags?: Flags;
  readonly variables?: Readonly<Record<string, string>>;
  readonly profiles?: ReadonlyMap<string, { readonly org?: string; readonly endpoint?: string }>;
}

/** The settings with `--env dev`. */
function settingsWith({ environments, beside = {}, flags = {}, variables = {}, profiles }: Given) {
  const limited = Object.fromEntries(
    Object.entries(environments).map(([name, each]) => [name, { ...each, limits: { 'max-deletes': 1 } }]),
  );
  const file = parseSettings({ ...beside, environments: limited }, '/shop/gantry.yaml');
  const chosen = chooseEnvironment(file.environments, 'dev');
  return resolveSettings({ flags, environment: variables, chosen, file, profiles });
}

/** The environments whose limits apply with --env dev. */
function inForce(given: Given): readonly string[] {
  return effectiveLimits(settingsWith(given)).map(({ at }) => at.split('.')[1] ?? '');
}

const apart = { dev: { org: 'acme-dev' }, prod: { org: 'acme' } };
const oneOrg = { dev: { org: 'acme', gvc: 'dev' }, prod: { org: 'acme', gvc: 'shop' } };
const oneOrgByStack = { dev: { org: 'acme', stack: 'shop-dev' }, prod: { org: 'acme', stack: 'shop' } };
const differentInAll = {
  dev: { org: 'acme-dev', gvc: 'dev', stack: 'shop-dev' },
  prod: { org: 'acme', gvc: 'eu', stack: 'shop' },
};
const byEndpoint = {
  dev: { org: 'acme', endpoint: 'https://dev.example.com' },
  prod: { org: 'acme', endpoint: 'https://eu.example.com/,https://us.example.com' },
};
const withoutOrg = { dev: { endpoint: 'https://dev.example.com' }, prod: { endpoint: 'https://prod.example.com' } };

describe('the limits that apply with --env dev', () => {
  test.each<Given & { readonly it: string; readonly holds: readonly string[] }>(
    // biome-ignore format: a row is a case
    [
      { it: 'nothing else', environments: apart, holds: ['dev'] },
      { it: 'the org of another one by flag', environments: apart, flags: { org: 'acme' }, holds: ['dev', 'prod'] },
      { it: 'by variable', environments: apart, variables: { GANTRY_ORG: 'acme' }, holds: ['dev', 'prod'] },
      { it: 'an unused org', environments: apart, flags: { org: 'third' }, holds: ['dev'] },
      { it: 'the org of another one, with its own GVC and stack', environments: differentInAll,
        flags: { org: 'acme' }, holds: ['dev', 'prod'] },
      { it: 'the same org', environments: { dev: { org: 'acme' }, prod: { org: 'acme' } }, holds: ['dev', 'prod'] },
      { it: 'one org for all', beside: { org: 'acme' }, environments: { dev: {}, prod: {} }, holds: ['dev', 'prod'] },
      { it: 'the same org, another GVC', environments: oneOrg, holds: ['dev'] },
      { it: 'the GVC of another one by flag', environments: oneOrg, flags: { gvc: 'shop' }, holds: ['dev', 'prod'] },
      { it: 'by variable too', environments: oneOrg, variables: { GANTRY_GVC: 'shop' }, holds: ['dev', 'prod'] },
      { it: 'the same org, another stack', environments: oneOrgByStack, holds: ['dev'] },
      { it: 'the stack of another one by flag', environments: oneOrgByStack, flags: { stack: 'shop' },
        holds: ['dev', 'prod'] },
      { it: 'the same org on another platform', environments: byEndpoint, holds: ['dev'] },
      { it: 'one of the endpoints of another one, written differently', environments: byEndpoint,
        flags: { endpoint: 'https://EU.example.com:443' }, holds: ['dev', 'prod'] },
      { it: 'an endpoint, while the other one has none',
        environments: { dev: { org: 'acme-dev' }, prod: { org: 'acme' } },
        flags: { org: 'acme', endpoint: 'https://prod.example.com' }, holds: ['dev', 'prod'] },
      { it: 'environments without an org', environments: { dev: {}, prod: {} }, flags: { org: 'acme' },
        holds: ['dev'] },
      { it: 'environments with endpoints alone', environments: withoutOrg, flags: { org: 'acme' }, holds: ['dev'] },
      { it: 'the endpoint of another one that leaves the org to a flag', environments: withoutOrg,
        flags: { org: 'acme', endpoint: 'https://prod.example.com' }, holds: ['dev', 'prod'] },
      { it: 'the org of the profile of another one',
        environments: { dev: { org: 'acme-dev' }, prod: { profile: 'production' } },
        profiles: new Map([['production', { org: 'acme' }]]), flags: { org: 'acme' }, holds: ['dev', 'prod'] },
      { it: 'a profile that this user does not have',
        environments: { dev: { org: 'acme-dev' }, prod: { profile: 'production' } }, flags: { org: 'acme' },
        holds: ['dev'] },
      { it: 'a platform of this machine, whatever it is called', environments: apart,
        flags: { org: 'acme', embedded: true }, holds: ['dev'] },
    ],
  )('$it: $holds', ({ holds, ...given }) => {
    expect(inForce(given)).toEqual(holds);
  });

  test('a signature must be valid for each of them', () => {
    const environments = {
      dev: { org: 'acme-dev', signers: { plan: 'dev-keys' } },
      prod: { org: 'acme', signers: { plan: 'prod-keys' } },
    };
    expect(effectiveSigners(settingsWith({ environments }))).toEqual([{ plan: '/shop/dev-keys' }]);
    expect(effectiveSigners(settingsWith({ environments, flags: { org: 'acme' } }))).toEqual([
      { plan: '/shop/dev-keys' },
      { plan: '/shop/prod-keys' },
    ]);
  });

  test('without environments there are no limits, and the file names the signers', () => {
    const settings = resolveSettings({
      flags: { org: 'acme' },
      environment: {},
      file: parseSettings({ signers: { plan: 'keys' } }, '/shop/gantry.yaml'),
    });
    expect(effectiveLimits(settings)).toEqual([]);
    expect(effectiveSigners(settings)).toEqual([{ plan: '/shop/keys' }]);
  });
});
