import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { mirrorFiles, zip } from '../../../src/gantry/terraform/packedMirror.ts';

const entries = [
  { name: 'terraform-provider-gantry_v0.1.0', content: Buffer.from('#!/usr/bin/env node\n'), isExecutable: true },
  { name: 'parts/main.mjs', content: Buffer.from('export {};\n'.repeat(100)), isExecutable: false },
];

/** The files of an archive by its central directory (APPNOTE.TXT, 4.3.12), with their modes. */
function unpacked(archive: Buffer): readonly (readonly [name: string, mode: number, content: string])[] {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const length = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    const mode = archive.readUInt32LE(at + 38) >>> 16;
    const start = archive.readUInt32LE(at + 42);
    expect(archive.readUInt32LE(start)).toBe(0x04034b50);
    const data = start + 30 + archive.readUInt16LE(start + 26);
    const packed = archive.subarray(data, data + archive.readUInt32LE(at + 20));
    at += 46 + length;
    return [name, mode, inflateRawSync(packed).toString('utf8')] as const;
  });
}

test('an archive contains each file with its mode, and is reproducible', () => {
  const archive = zip(entries);
  expect(unpacked(archive)).toEqual([
    ['parts/main.mjs', 0o100644, 'export {};\n'.repeat(100)],
    ['terraform-provider-gantry_v0.1.0', 0o100755, '#!/usr/bin/env node\n'],
  ]);
  expect(zip([...entries].reverse())).toEqual(archive);
});

test("a mirror has Terraform's layout, with checksums and lock-file hashes, and can be served", () => {
  const files = mirrorFiles('0.1.0', [{ platform: 'linux_amd64', entries }], ['0.0.9', '0.1.0']);
  const folder = 'gantry.local/gantry/gantry/';
  const prefix = 'terraform-provider-gantry_0.1.0_';
  const name = `${prefix}linux_amd64.zip`;
  expect([...files.keys()]).toEqual(
    [name, `${prefix}manifest.json`, `${prefix}SHA256SUMS`, 'index.json', '0.1.0.json'].map((each) => folder + each),
  );
  const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
  const text = (file: string): string => files.get(folder + file)?.toString('utf8') ?? '';
  const sum = sha256(zip(entries));
  expect(text(`${prefix}SHA256SUMS`)).toBe(
    `${sum}  ${name}\n${sha256(text(`${prefix}manifest.json`))}  ${prefix}manifest.json\n`,
  );
  expect(JSON.parse(text(`${prefix}manifest.json`))).toEqual({ version: 1, metadata: { protocol_versions: ['6.0'] } });
  expect(JSON.parse(text('index.json'))).toEqual({ versions: { '0.0.9': {}, '0.1.0': {} } });
  // As `golang.org/x/mod/sumdb/dirhash` documents it: over the lines of `sha256sum`, in the order of the names.
  const lines = `${sha256('export {};\n'.repeat(100))}  parts/main.mjs\n${sha256('#!/usr/bin/env node\n')}  terraform-provider-gantry_v0.1.0\n`;
  const contentHash = `h1:${createHash('sha256').update(lines).digest('base64')}`;
  expect(JSON.parse(text('0.1.0.json'))).toEqual({
    archives: { linux_amd64: { url: name, hashes: [contentHash, `zh:${sum}`] } },
  });
});
