import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, test } from 'vitest';
import { packedTarball } from './installedProject.ts';

describe('the tarball that is published', () => {
  test('has no problem that publint knows', async () => {
    const bytes = readFileSync(await packedTarball());
    const { messages, pkg } = await publint({
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) },
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  // The package has ES modules: `require` loads them from Node 22.12 on, and Node 10 knows no `exports`.
  test('has types for every entry, the same for Node and bundlers', async () => {
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(await packedTarball())));
    if (checked.types === false) throw new Error('the package has no types');
    expect(Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(['.', './testing']));
    const problems = checked.problems.filter(
      (problem) => !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
    );
    expect(problems).toEqual([]);
  });
});
