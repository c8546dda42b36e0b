import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseEnvironment, valuesOf } from '../../../src/project/settings/environment.ts';
import { numberWarnings } from '../../../src/project/settings/numberWarnings.ts';
import { resolveSettings } from '../../../src/project/settings/resolveSettings.ts';
import { parseSettings, readSettingsFile, type SettingsFile } from '../../../src/project/settings/settingsFile.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

function fileWith(environments: object, others: object = {}): SettingsFile {
  return parseSettings({ ...others, environments }, '/projects/shop/gantry.yaml');
}

test('numbers that code receives in another form than written are warnings', async () => {
  const text =
    'environments: {dev: {values: {a: 1.10, b: [2, {c: 0x10}], d: "1.10", e: 1.5, f: 12345678901234567890}}}';
  const path = join(temporaryFolder('numbers'), 'gantry.yaml');
  writeFileSync(path, text);
  const chosen = chooseEnvironment((await readSettingsFile(dirname(path))).environments, 'dev');
  const warnings = chosen === undefined ? [] : numberWarnings(valuesOf(chosen), dirname(path));
  expect(
    warnings.map(({ position, message }) => [text.slice(position.column - 1).match(/^[^,}]+/)?.[0], message]),
  ).toEqual([
    ['1.10', 'values.a: 1.10 is a number here, so code receives 1.1'],
    ['0x10', 'values.b.1.c: 0x10 is a number here, so code receives 16'],
    ['12345678901234567890', 'values.f: 12345678901234567890 is a number here, so code receives 12345678901234567000'],
  ]);
});

describe('environments of gantry.yaml', () => {
  const prod = { org: 'acme', gvc: 'eu', stack: 'shop-prod', endpoint: 'https://prod', dialect: 'words.yaml' };
  const price = { storageGbMonth: 1, currency: 'EUR' };
  const own = { org: 'acme-dev', gvc: 'dev', stack: 'shop', endpoint: 'https://dev' };
  const file = fileWith({ prod, dev: null }, { ...own, price });

  /** The settings with this environment of the file. */
  function settingsOf(
    of: SettingsFile,
    env: string,
    more: Partial<Parameters<typeof resolveSettings>[0]> = {},
  ): ReturnType<typeof resolveSettings> {
    return resolveSettings({
      flags: {},
      environment: {},
      chosen: chooseEnvironment(of.environments, env),
      file: of,
      ...more,
    });
  }

  test('override the settings beside them', () => {
    const dialect = '/projects/shop/words.yaml';
    expect(settingsOf(file, 'prod')).toMatchObject({ ...prod, dialect, price, env: 'prod' });
  });

  test('inherit omitted settings from the file, even if they are empty', () => {
    expect(settingsOf(file, 'dev')).toMatchObject({ ...own, env: 'dev' });
  });

  test("are overridden by flags, variables and the user's profile", () => {
    const profile = { name: 'p', profile: { endpoint: 'https://p', org: 'p-org' }, namedBy: 'user' } as const;
    const given = { flags: { stack: 'by-flag' }, environment: { GANTRY_GVC: 'by-variable' }, profile };
    const settings = settingsOf(file, 'prod', given);
    expect(settings).toMatchObject({ stack: 'by-flag', gvc: 'by-variable', org: 'p-org', endpoint: 'https://p' });
  });

  const p = { endpoint: 'https://p', org: 'p-org', token: 'p-token' };
  const profile = { name: 'p', profile: p, namedBy: 'environment' } as const;

  test('can name a profile, which comes after their own settings and before the rest of the file', () => {
    const named = fileWith({ prod: { org: 'acme', profile: 'p' } }, { org: 'other', endpoint: 'https://other' });
    expect(settingsOf(named, 'prod', { profile })).toMatchObject({ ...p, org: 'acme' });
  });

  test('never send the token of a profile to their own endpoint', () => {
    const named = fileWith({ prod: { endpoint: 'https://evil', profile: 'p' } });
    expect(settingsOf(named, 'prod', { profile })).toMatchObject({ endpoint: 'https://evil', token: undefined });
  });

  test('are never chosen implicitly, not even the only one', () => {
    expect(() => chooseEnvironment(fileWith({ prod: {} }).environments, undefined)).toThrow(
      expect.objectContaining({
        code: 'settings.environment',
        message: 'no environment was chosen',
        hint: 'Choose one: --env NAME, GANTRY_ENV, or env: NAME in gantry.yaml. Available: prod.',
      }),
    );
  });

  test.each([
    { name: 'pord', hint: 'Did you mean prod? Available: prod, dev.' },
    { name: 'test', hint: 'Available: prod, dev.' },
    { name: '__proto__', hint: 'Available: prod, dev.' },
  ])('do not include $name', ({ name, hint }) => {
    expect(() => chooseEnvironment(file.environments, name)).toThrow(
      expect.objectContaining({
        code: 'settings.environment',
        message: `gantry.yaml has no environment ${JSON.stringify(name)}`,
        hint,
      }),
    );
  });

  test('can have any name if the file has none: they are for stacks in code', () => {
    expect(chooseEnvironment(parseSettings({}, 'gantry.yaml').environments, 'prod')).toBeUndefined();
    expect(chooseEnvironment(fileWith({}).environments, 'prod')).toBeUndefined();
  });

  const settings = 'org, gvc, endpoint, profile, stack, dialect, consistency-timeout, price, signers, limits, values';
  const risks =
    'none, metadata, cost-up, rolling-restart, reschedule, capacity-down, endpoint-change, ' +
    'exposure, downtime or data-loss';
  const limits = 'max-deletes, max-changes, max-risk, window, rehearsal, signature, approvals';

  // biome-ignore format: a row is a case
  test.each<[string, unknown, string]>([
    ['a list', ['prod'], ' must be an object such as `environments: {dev: {org: acme-dev}, prod: {org: acme}}`'],
    ['a name with a dot', { 'a.b': {} },
      ': "a.b" cannot be the name of an environment: use at most 64 letters, digits, hyphens and underscores'],
    ['a text', { prod: 'acme' }, '.prod must be an object such as `prod: {org: acme}`'],
    ['a misspelt setting', { prod: { ogr: 'acme' } },
      `.prod has no setting "ogr". Did you mean "org"? Available: ${settings}.`],
    ['a token', { prod: { token: 'x' } }, `.prod has no setting "token". Available: ${settings}.`],
    ['a line that lost its colon', { prod: { 'org acme': null } },
      `.prod has an unknown setting. Available: ${settings}.`],
    ['values that are a list', { prod: { values: [1] } },
      '.prod.values must be an object such as `values: {replicas: 2}`'],
  ])('are refused with %s', (_, environments, says) => {
    expect(() => parseSettings({ environments }, 'gantry.yaml')).toThrow(
      expect.objectContaining({ code: 'settings.file', message: `gantry.yaml: environments${says}` }),
    );
  });

  // biome-ignore format: a row is a case
  test.each<[string, object, string]>([
    ['an invalid limit', { 'max-delete': 1 },
      ` has no setting "max-delete". Did you mean "max-deletes"? Available: ${limits}.`],
    ['a limit below 0', { 'max-deletes': -1 }, '.max-deletes must be at least 0'],
    ['a limit that is a text', { approvals: '1' }, '.approvals must be a whole number'],
    ['a limit without a value', { 'max-deletes': null }, '.max-deletes must be a whole number'],
    ['an invalid risk', { 'max-risk': 'down-time' }, `.max-risk must be ${risks}. Did you mean "downtime"?`],
    ['a rehearsal that is optional', { rehearsal: true }, '.rehearsal must be required'],
    ['no windows', { window: [] }, '.window must not be empty'],
    ['a window without its days', { window: { days: null, timezone: 'UTC' } },
      '.window.days must be a list such as `days: [mon, tue]`'],
    ['a window without a time zone', { window: { days: ['mon'] } },
      '.window needs a timezone, as in `window: {days: [mon, tue], from: "09:00", to: "17:00", timezone: Europe/Berlin}`'],
    ['a time zone that is an offset', { window: { timezone: '+02:00' } },
      '.window.timezone must be a time zone by its IANA name, such as Europe/Berlin or UTC'],
    ['an invalid time zone', { window: { timezone: 'Europe/Bärlin' } },
      '.window.timezone must be a time zone by its IANA name, such as Europe/Berlin or UTC'],
    ['an invalid day', { window: { days: ['monday'], timezone: 'UTC' } },
      '.window.days[0] must be mon, tue, wed, thu, fri, sat or sun'],
    ['no days', { window: { days: [], timezone: 'UTC' } },
      '.window.days must name a day, or be left out for all of them'],
    ['an invalid hour', { window: { from: '9:00', timezone: 'UTC' } },
      '.window.from must be a time of day such as "09:00"'],
    ['an empty window', { window: { from: '09:00', to: '09:00', timezone: 'UTC' } },
      '.window.to must be another time than from; leave out both for the whole day'],
  ])('are refused with limits that have %s', (_, given, says) => {
    expect(() => parseSettings({ environments: { prod: { limits: given } } }, 'gantry.yaml')).toThrow(
      expect.objectContaining({ code: 'settings.file', message: `gantry.yaml: environments.prod.limits${says}` }),
    );
  });

  test('contain limits with their positions in the file', () => {
    const given = {
      ...{ 'max-deletes': 0, 'max-changes': 5, 'max-risk': 'rolling-restart', approvals: 2 },
      ...{ rehearsal: 'required', signature: 'required' },
      window: [{ timezone: 'UTC' }, { days: ['sat'], from: '22:00', to: '02:00', timezone: 'Europe/Berlin' }],
    };
    const { environments } = fileWith({ prod: { limits: given } });
    expect(environments?.get('prod')?.limits).toEqual({
      at: 'environments.prod.limits',
      ...{ maxDeletes: 0, maxChanges: 5, maxRisk: 'rolling-restart', approvals: 2 },
      ...{ rehearsal: 'required', signature: 'required' },
      windows: [
        { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00', timezone: 'UTC' },
        { days: ['sat'], from: '22:00', to: '02:00', timezone: 'Europe/Berlin' },
      ],
    });
  });
});
