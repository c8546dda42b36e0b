/**
 * The time of an HTML report: to write, and to open in Chromium, until its first rows are drawn. `npm run bench:report
 * -- 10000`: with this number of changes; without numbers with 100, 2,000 and 10,000.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChangeDocument } from '../src/change/documents/planDocument.ts';
import { renderHtml } from '../src/report/renderHtml.ts';
import { startBrowser } from '../test/browser/browser.ts';
import { chromium } from '../test/browser/unpacked.ts';
import { changeDocument, reportOf } from '../test/report/html/documents.ts';

const runs = 5;
const sizes = process.argv.slice(2).map(Number);

/** Half are creations with their body, half updates of two fields with their patch; each waits for two others. */
function changesOf(count: number): readonly ChangeDocument[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `service-${index}`;
    const place = { file: `stacks/shop/${name}.yaml`, line: 7, column: 14 };
    const waitsFor = [Math.floor(index / 7), Math.floor(index / 11)]
      .filter((on) => on < index)
      .map((on) => ({
        step: 'write' as const,
        on: `workload/shop/service-${on}`,
        because: 'spec.env refers to it',
        soft: false,
      }));
    const container = { name: 'main', image: `registry.example.com/${name}:2`, cpu: '250m', memory: '256Mi' };
    const spec = { type: 'standard', containers: [container], defaultOptions: { minScale: 2, maxScale: 10 } };
    const fields = [
      { path: 'spec.containers.main.image', old: `registry.example.com/${name}:1`, new: container.image, place },
      { path: 'spec.containers.main.cpu', old: '100m', new: '250m', risk: 'cost-up' as const, place },
    ];
    const creation = { create: { name, tags: { team: 'shop' }, spec }, fields };
    const update = {
      action: 'patch' as const,
      patch: { id: String(index), version: 3, spec: { $patch: spec } },
      fields,
    };
    return changeDocument(name, { place, waitsFor, liveVersion: 3, ...(index % 2 === 0 ? creation : update) });
  });
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}

const program = await chromium();
if (program === undefined) throw new Error('there is no Chromium for this machine: set GANTRY_TEST_CHROMIUM');
const folder = mkdtempSync(join(tmpdir(), 'gantry-report-bench-'));
const browser = await startBrowser(program);
try {
  for (const size of sizes.length === 0 ? [100, 2_000, 10_000] : sizes) {
    const report = reportOf(changesOf(size));
    const began = performance.now();
    const html = renderHtml(report);
    const writing = Math.round(performance.now() - began);
    const file = join(folder, 'report.html');
    writeFileSync(file, html);
    const opened: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const page = await browser.open(pathToFileURL(file).href);
      // From the navigation to the second frame: the first one has drawn the page.
      const drawn = await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(performance.now()))))',
      );
      opened.push(Number(drawn));
      await page.close();
    }
    const megabytes = (html.length / 1e6).toFixed(1);
    process.stdout.write(
      `${size} changes: ${megabytes} MB, written in ${writing} ms, opened in ${median(opened)} ms (of ${opened.map(Math.round).join(', ')})\n`,
    );
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
