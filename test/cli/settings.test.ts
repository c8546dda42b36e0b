import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ToolError } from '../../src/base/toolError.ts';
import { ownerOf, resolveSettings, stackNameOf } from '../../src/project/settings/resolveSettings.ts';
import { parseSettings, readSettingsFile } from '../../src/project/settings/settingsFile.ts';

describe('settings', () => {
  test('flags win over the environment, and that over gantry.yaml', () => {
    const settings = resolveSettings({
      flags: { org: 'from-flag' },
      environment: { GANTRY_ORG: 'from-environment', GANTRY_GVC: 'from-environment' },
      file: { org: 'from-file', gvc: 'from-file', stack: 'from-file', project: 'p1' },
    });
    expect(settings).toMatchObject({ org: 'from-flag', gvc: 'from-environment', stack: 'from-file', project: 'p1' });
  });

  test('an empty variable counts as absent', () => {
    const settings = resolveSettings({ flags: {}, environment: { GANTRY_TOKEN: '' }, file: { token: 'from-file' } });
    expect(settings.token).toBe('from-file');
  });

  test('the embedded platform stores its data in .gantry by default', () => {
    expect(resolveSettings({ flags: {}, environment: {}, file: {} }).data).toBe('.gantry');
    expect(resolveSettings({ flags: {}, environment: { GANTRY_DATA: '/d' }, file: { data: '/f' } }).data).toBe('/d');
  });
});

describe('the owner of a stack (design, "A stack")', () => {
  test.each([
    { it: 'is its name', identity: { name: 'shop', project: undefined, gvc: undefined }, owner: 'shop' },
    { it: 'has the project', identity: { name: 'shop', project: 'p1', gvc: undefined }, owner: 'shop.p1' },
    { it: 'has the GVC of --gvc', identity: { name: 'shop', project: undefined, gvc: 'eu' }, owner: 'shop@eu' },
    { it: 'has both', identity: { name: 'shop', project: 'p1', gvc: 'eu' }, owner: 'shop.p1@eu' },
  ])('$it', ({ identity, owner }) => {
    expect(ownerOf(identity)).toBe(owner);
  });

  test('can be the id of a Stack in code, and the hint says so', () => {
    expect(() => ownerOf({ name: undefined, project: undefined, gvc: undefined })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('the id of its `new Stack(app, ID)`') }),
    );
  });

  test.each([undefined, '', 'a.b', 'a@b', '-a', 'a b'])('is refused for the name %j', (name) => {
    expect(() => ownerOf({ name, project: undefined, gvc: undefined })).toThrow(
      expect.objectContaining({ code: 'settings.stack' }),
    );
  });

  test.each([
    ['shop', 'shop'],
    ['My Shop (new)', 'my-shop-new'],
    ['...', 'stack'],
  ])('a folder named %j gives the stack name %j', (folder, name) => {
    expect(stackNameOf(folder)).toBe(name);
  });
});

describe('gantry.yaml', () => {
  test('reads numbers as written in text settings', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-settings-'));
    writeFileSync(join(folder, 'gantry.yaml'), 'stack: 0755\nproject: 0x1F\ntoken: 1e3\norg: "007"\n');
    const settings = await readSettingsFile(folder);
    rmSync(folder, { recursive: true });
    expect(settings).toEqual({ stack: '0755', project: '0x1F', token: '1e3', org: '007' });
  });

  test('reports all problems together, each with its place, in the order of the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-settings-'));
    const file = join(folder, 'gantry.yaml');
    writeFileSync(
      file,
      `stak: shop
org: [acme]
environments:
  dev: {ogr: acme, stack: -dev}
  a b: {}
  prod:
    limits: {max-deletes: -1, window: [{timezone: Mars}, {days: [mon]}]}
price: {storageGbMonth: {tape: 1, shared: x}, currency: euro}
kinds: {Widget: {}, gadget: {scope: world}}
secrets: {commands: 1, files: [1]}
project: a.b
stack: my shop
`,
    );
    const found = await readSettingsFile(folder).catch((error: unknown) => error);
    rmSync(folder, { recursive: true });
    expect(found).toMatchObject({ code: 'settings.file', place: { file } });
    const { message, causes } = found instanceof ToolError ? found : expect.fail('it was read');
    expect(message.split('\n')).toEqual([
      `17 problems in ${file}`,
      expect.stringMatching(/:1:1: there is no setting "stak"\. Did you mean "stack"\? Available: /),
      `${file}:2:1: org must be text`,
      expect.stringMatching(/:4:9: environments\.dev has no setting "ogr"\. Did you mean "org"\? Available: /),
      expect.stringMatching(/:4:20: environments\.dev\.stack must be at most 64 letters, digits, hyphens/),
      expect.stringMatching(/:5:3: environments: this name cannot be the name of an environment/),
      `${file}:7:14: environments.prod.limits.max-deletes must be at least 0`,
      expect.stringMatching(/:7:41: environments\.prod\.limits\.window\[0\]\.timezone must be a time zone/),
      expect.stringMatching(/:7:58: environments\.prod\.limits\.window\[1\] needs a timezone/),
      expect.stringMatching(/:8:26: price\.storageGbMonth has no setting "tape"/),
      expect.stringMatching(/:8:35: price\.storageGbMonth\.shared must be a number/),
      expect.stringMatching(/:8:47: price\.currency must be three letters/),
      expect.stringMatching(/:9:9: kinds\.Widget: "Widget" cannot be a kind/),
      expect.stringMatching(/:9:30: kinds\.gadget\.scope must be org or gvc/),
      `${file}:10:11: secrets.commands must be true or false`,
      `${file}:10:32: secrets.files[0] must be a path, such as ../shared`,
      expect.stringMatching(/:11:1: project must be at most 64 letters/),
      expect.stringMatching(/:12:1: stack must be at most 64 letters/),
    ]);
    expect(causes).toHaveLength(17);
    expect(causes[1]).toEqual({
      code: 'settings.file',
      message: 'org must be text',
      place: { file, line: 2, column: 1 },
    });
  });

  test('reports the place of invalid YAML', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-settings-'));
    const file = join(folder, 'gantry.yaml');
    writeFileSync(file, 'org: acme\ngvc: *b\n');
    const found = await readSettingsFile(folder).catch((error: unknown) => error);
    rmSync(folder, { recursive: true });
    expect(found).toMatchObject({
      code: 'settings.file',
      message: `${file}:2:6: there is no anchor for this alias`,
      place: { file, line: 2, column: 6 },
    });
  });

  test('names its data folder relative to itself', () => {
    expect(parseSettings({ stack: 'shop', data: 'state' }, '/projects/shop/gantry.yaml')).toEqual({
      stack: 'shop',
      data: '/projects/shop/state',
    });
  });

  test('can be empty, and can have numbers as texts', () => {
    expect(parseSettings(undefined, 'gantry.yaml')).toEqual({});
    expect(parseSettings({ project: 12 }, 'gantry.yaml')).toEqual({ project: '12' });
  });

  test('can have the price of storage: one for all, or one for each class', () => {
    const one = { storageGbMonth: 0.1, currency: 'EUR' };
    const each = { storageGbMonth: { 'general-purpose-ssd': 0.1, shared: 0 }, currency: 'USD' };
    expect(parseSettings({ price: one }, 'gantry.yaml')).toEqual({ price: one });
    expect(parseSettings({ price: each, directives: 'all' }, 'gantry.yaml')).toEqual({
      price: each,
      directives: 'all',
    });
    expect(resolveSettings({ flags: {}, environment: {}, file: { price: one } }).price).toEqual(one);
  });

  test.each([
    { it: 'a list', parsed: ['stack'] },
    { it: 'an unknown setting', parsed: { stak: 'shop' } },
    { it: 'a setting that is no text', parsed: { stack: { name: 'shop' } } },
    { it: 'unknown directives', parsed: { directives: 'some' } },
    { it: 'a price that is a number', parsed: { price: 0.1 } },
    { it: 'a price without a currency', parsed: { price: { storageGbMonth: 0.1 } } },
    { it: 'an invalid currency', parsed: { price: { storageGbMonth: 0.1, currency: 'euro' } } },
    { it: 'a price without an amount', parsed: { price: { currency: 'EUR' } } },
    { it: 'an absurd price', parsed: { price: { storageGbMonth: 1e300, currency: 'EUR' } } },
    { it: 'a negative price', parsed: { price: { storageGbMonth: -1, currency: 'EUR' } } },
    { it: 'a price that is not a number', parsed: { price: { storageGbMonth: { shared: '1' }, currency: 'EUR' } } },
    { it: 'an unknown class', parsed: { price: { storageGbMonth: { tape: 1 }, currency: 'EUR' } } },
    { it: 'another member in the price', parsed: { price: { storageGbMonth: 1, currency: 'EUR', cpu: 1 } } },
  ])('is refused with $it', ({ parsed }) => {
    expect(() => parseSettings(parsed, 'gantry.yaml')).toThrow(expect.objectContaining({ code: 'settings.file' }));
  });
});
