/**
 * The performance of the reconciler's page with many stacks, in Chromium: until its first picture and its first rows,
 * during scrolling from top to end, and from a key in the search or a change at the worker until it is visible. `npm
 * run bench:reconcile-page -- 1000`: with this number of stacks; without numbers with 100, 1,000 and 5,000.
 */
import { isArray } from '../src/base/json/json.ts';
import { servePage } from '../src/reconcile/http/servePage.ts';
import { type BrowserPage, startBrowser } from '../test/browser/browser.ts';
import { doing } from '../test/browser/person.ts';
import { chromium } from '../test/browser/unpacked.ts';
import { fixedBoard, stackOf } from '../test/reconcile/http/fixedBoard.ts';

const runs = 5;
const sizes = process.argv.slice(2).map(Number);

/** Of ten stacks one fails, one waits, one has drifted; each has a reason of realistic length. */
function stacksOf(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const name = `team-${index % 40}-service-${index}`;
    switch (index % 10) {
      case 0:
        return stackOf(name, { state: 'failing', because: `workload/${name}/web is not ready: 3 of 4`, failures: 2 });
      case 1:
        return stackOf(name, { state: 'waiting', because: 'it needs an approval', worstRisk: 'exposure' });
      case 2:
        return stackOf(name, { state: 'drifted', drifted: 3 });
      default:
        return stackOf(name);
    }
  });
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

const drawn = 'await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));';

async function numbers(page: BrowserPage, steps: string): Promise<readonly number[]> {
  const found = await doing(page, steps);
  return isArray(found) ? found.map(Number) : [];
}

const program = await chromium();
if (program === undefined) throw new Error('there is no Chromium for this machine: set GANTRY_TEST_CHROMIUM');
const browser = await startBrowser(program);
try {
  for (const size of sizes.length === 0 ? [100, 1_000, 5_000] : sizes) {
    const board = fixedBoard(stacksOf(size));
    const served = await servePage(board, { address: '0', onMistake: (error) => console.error(error) });
    const figures = { picture: [0], rows: [0], frames: [0], empty: [0], search: [0], change: [0] };
    for (const list of Object.values(figures)) list.pop();
    try {
      for (let run = 0; run < runs; run += 1) {
        const page = await browser.open(`${served.url}/`);
        await page.resize({ width: 1280, height: 800 });
        const [rows = 0, picture = 0] = await numbers(
          page,
          `await one('.stack-row'); ${drawn}
           const rows = performance.now();
           const picture = await until('a picture', () => performance.getEntriesByName('first-contentful-paint')[0]);
           return [rows, picture.startTime];`,
        );
        const [empty = 0, ...frames] = await numbers(
          page,
          `const times = [];
           let empty = 0;
           let before = performance.now();
           for (let y = 0; y < document.documentElement.scrollHeight; y += 400) {
             scrollTo(0, y);
             await new Promise((done) => requestAnimationFrame(done));
             const now = performance.now();
             times.push(now - before);
             before = now;
             if (document.elementFromPoint(640, 500)?.closest('.stack-row, header, footer, form') == null) empty += 1;
           }
           scrollTo(0, 0);
           return [empty, ...times];`,
        );
        const [search = 0] = await numbers(
          page,
          `const began = performance.now();
           await fill('input[type=search]', 'service-${size - 1}');
           const took = performance.now() - began;
           await says('1 of ');
           await fill('input[type=search]', '');
           return [took];`,
        );
        await doing(page, `await says('${size.toLocaleString('en')} of ');`);
        const began = performance.now();
        board.change('team-0-service-0', { because: `changed in run ${run}` });
        await doing(page, `await says('changed in run ${run}'); ${drawn}`);
        figures.change.push(performance.now() - began);
        figures.picture.push(picture);
        figures.rows.push(rows);
        figures.frames.push(...frames);
        figures.empty.push(empty);
        figures.search.push(search);
        await page.close();
      }
    } finally {
      await served.close();
    }
    const { picture, rows, frames, empty, search, change } = figures;
    process.stdout.write(
      `${size} stacks: first picture ${at(picture, 0.5)} ms, first rows ${at(rows, 0.5)} ms; ` +
        `frames while scrolling: median ${at(frames, 0.5)} ms, 95 % ${at(frames, 0.95)} ms, longest ${at(frames, 1)} ms, ` +
        `${at(empty, 0.5)} of ${Math.round(frames.length / runs)} without rows; ` +
        `search ${at(search, 0.5)} ms, a change ${at(change, 0.5)} ms\n`,
    );
  }
} finally {
  await browser.close();
}
