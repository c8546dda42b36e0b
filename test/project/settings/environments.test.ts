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
  const file = fileWith(
    {
      prod: { org: 'acme', gvc: 'eu', stack: 'shop-prod', endpoint: 'https://prod', dialect: 'words.yaml' },
      dev: null,
    },
    {
      org: 'acme-dev',
      gvc: 'dev',
      stack: 'shop',
      endpoint: 'https://dev',
      price: { storageGbMonth: 1, currency: 'EUR' },
    },
  );

  test('override the settings beside them', () => {
    const chosen = chooseEnvironment(file.environments, 'prod');
    expect(resolveSettings({ flags: {}, environment: {}, chosen, file })).toMatchObject({
      org: 'acme',
      gvc: 'eu',
      stack: 'shop-prod',
      endpoint: 'https://prod',
      dialect: '/projects/shop/words.yaml',
      price: { storageGbMonth: 1, currency: 'EUR' },
      env: 'prod',
    });
  });

  test('inherit omitted settings from the file, even if they are empty', () => {
    const chosen = chooseEnvironment(file.environments, 'dev');
    expect(resolveSettings({ flags: {}, environment: {}, chosen, file })).toMatchObject({
      org: 'acme-dev',
      gvc: 'dev',
      stack: 'shop',
      endpoint: 'https://dev',
      env: 'dev',
    });
  });

  test("are overridden by flags, variables and the user's profile", () => {
    const chosen = chooseEnvironment(file.environments, 'prod');
    const profile = { name: 'p', profile: { endpoint: 'https://p', org: 'p-org' }, namedBy: 'user' } as const;
    const settings = resolveSettings({
      flags: { stack: 'by-flag' },
      environment: { GANTRY_GVC: 'by-variable' },
      profile,
      chosen,
      file,
    });
    expect(settings).toMatchObject({ stack: 'by-flag', gvc: 'by-variable', org: 'p-org', endpoint: 'https://p' });
  });

  test('can name a profile, which comes after their own settings and before the rest of the file', () => {
    const named = fileWith({ prod: { org: 'acme', profile: 'p' } }, { org: 'other', endpoint: 'https://other' });
    const chosen = chooseEnvironment(named.environments, 'prod');
    const profile = { endpoint: 'https://p', org: 'p-org', token: 'p-token' };
    const settings = resolveSettings({
      flags: {},
      environment: {},
      profile: { name: 'p', profile, namedBy: 'environment' },
      chosen,
      file: named,
    });
    expect(settings).toMatchObject({ org: 'acme', endpoint: 'https://p', token: 'p-token' });
  });

  test('never send the token of a profile to their own endpoint', () => {
    const named = fileWith({ prod: { endpoint: 'https://evil', profile: 'p' } });
    const chosen = chooseEnvironment(named.environments, 'prod');
    const profile = { endpoint: 'https://p', token: 'p-token' };
    const settings = resolveSettings({
      flags: {},
      environment: {},
      profile: { name: 'p', profile, namedBy: 'environment' },
      chosen,
      file: named,
    });
    expect(settings).toMatchObject({ endpoint: 'https://evil', token: undefined });
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

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a list', environments: ['prod'],
        says: 'environments must be an object such as `environments: {dev: {org: acme-dev}, prod: {org: acme}}`' },
      {
        it: 'a name with a dot',
        environments: { 'a.b': {} },
        says: 'environments: "a.b" cannot be the name of an environment: use at most 64 letters, digits, hyphens and underscores',
      },
      { it: 'a text', environments: { prod: 'acme' },
        says: 'environments.prod must be an object such as `prod: {org: acme}`' },
      {
        it: 'a misspelt setting',
        environments: { prod: { ogr: 'acme' } },
        says: 'environments.prod has no setting "ogr". Did you mean "org"? Available: org, gvc, endpoint, profile, stack, dialect, consistency-timeout, price, signers, limits, values.',
      },
      {
        it: 'a token',
        environments: { prod: { token: 'x' } },
        says: 'environments.prod has no setting "token". Available: org, gvc, endpoint, profile, stack, dialect, consistency-timeout, price, signers, limits, values.',
      },
      {
        it: 'a line that lost its colon',
        environments: { prod: { 'org acme': null } },
        says: 'environments.prod has an unknown setting. Available: org, gvc, endpoint, profile, stack, dialect, consistency-timeout, price, signers, limits, values.',
      },
      { it: 'values that are a list', environments: { prod: { values: [1] } },
        says: 'environments.prod.values must be an object such as `values: {replicas: 2}`' },
      {
        it: 'an invalid limit',
        environments: { prod: { limits: { 'max-delete': 1 } } },
        says: 'environments.prod.limits has no setting "max-delete". Did you mean "max-deletes"? Available: max-deletes, max-changes, max-risk, window, rehearsal, signature, approvals.',
      },
      { it: 'a limit below 0', environments: { prod: { limits: { 'max-deletes': -1 } } },
        says: 'environments.prod.limits.max-deletes must be at least 0' },
      { it: 'a limit that is a text', environments: { prod: { limits: { approvals: '1' } } },
        says: 'environments.prod.limits.approvals must be a whole number' },
      { it: 'a limit without a value', environments: { prod: { limits: { 'max-deletes': null } } },
        says: 'environments.prod.limits.max-deletes must be a whole number' },
      { it: 'a window without its days',
        environments: { prod: { limits: { window: { days: null, timezone: 'UTC' } } } },
        says: 'environments.prod.limits.window.days must be a list such as `days: [mon, tue]`' },
      {
        it: 'an invalid risk',
        environments: { prod: { limits: { 'max-risk': 'down-time' } } },
        says: 'environments.prod.limits.max-risk must be none, metadata, cost-up, rolling-restart, reschedule, capacity-down, endpoint-change, exposure, downtime or data-loss. Did you mean "downtime"?',
      },
      { it: 'a rehearsal that is optional', environments: { prod: { limits: { rehearsal: true } } },
        says: 'environments.prod.limits.rehearsal must be required' },
      {
      it: 'a window without a time zone',
      environments: { prod: { limits: { window: { days: ['mon'] } } } },
      says: 'environments.prod.limits.window needs a timezone, as in `window: {days: [mon, tue], from: "09:00", to: "17:00", timezone: Europe/Berlin}`',
    },
      {
        it: 'a time zone that is an offset',
        environments: { prod: { limits: { window: { timezone: '+02:00' } } } },
        says: 'environments.prod.limits.window.timezone must be a time zone by its IANA name, such as Europe/Berlin or UTC',
      },
      {
        it: 'an invalid time zone',
        environments: { prod: { limits: { window: { timezone: 'Europe/Bärlin' } } } },
        says: 'environments.prod.limits.window.timezone must be a time zone by its IANA name, such as Europe/Berlin or UTC',
      },
      { it: 'an invalid day', environments: { prod: { limits: { window: { days: ['monday'], timezone: 'UTC' } } } },
        says: 'environments.prod.limits.window.days[0] must be mon, tue, wed, thu, fri, sat or sun' },
      { it: 'no days', environments: { prod: { limits: { window: { days: [], timezone: 'UTC' } } } },
        says: 'environments.prod.limits.window.days must name a day, or be left out for all of them' },
      { it: 'an invalid hour', environments: { prod: { limits: { window: { from: '9:00', timezone: 'UTC' } } } },
        says: 'environments.prod.limits.window.from must be a time of day such as "09:00"' },
      { it: 'an empty window',
        environments: { prod: { limits: { window: { from: '09:00', to: '09:00', timezone: 'UTC' } } } },
        says: 'environments.prod.limits.window.to must be another time than from; leave out both for the whole day' },
      { it: 'no windows', environments: { prod: { limits: { window: [] } } },
        says: 'environments.prod.limits.window must not be empty' },
    ],
  )('are refused with $it', ({ environments, says }) => {
    expect(() => parseSettings({ environments }, 'gantry.yaml')).toThrow(
      expect.objectContaining({ code: 'settings.file', message: `gantry.yaml: ${says}` }),
    );
  });

  test('contain limits with their positions in the file', () => {
    const { environments } = fileWith({
      prod: {
        limits: {
          'max-deletes': 0,
          'max-changes': 5,
          'max-risk': 'rolling-restart',
          window: [{ timezone: 'UTC' }, { days: ['sat'], from: '22:00', to: '02:00', timezone: 'Europe/Berlin' }],
          rehearsal: 'required',
          signature: 'required',
          approvals: 2,
        },
      },
    });
    expect(environments?.get('prod')?.limits).toEqual({
      at: 'environments.prod.limits',
      maxDeletes: 0,
      maxChanges: 5,
      maxRisk: 'rolling-restart',
      windows: [
        { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00', timezone: 'UTC' },
        { days: ['sat'], from: '22:00', to: '02:00', timezone: 'Europe/Berlin' },
      ],
      rehearsal: 'required',
      signature: 'required',
      approvals: 2,
    });
  });
});
