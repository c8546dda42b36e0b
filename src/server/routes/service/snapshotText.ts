import { snapshotFormat } from '../../api/snapshot/readDump.ts';
import { nextTurn, sliceMs } from '../../core/slices.ts';
import type { View } from '../../store/row.ts';

/** Shorter pieces cost more than they save. */
const pieceLength = 64 * 1024;

/** The text of a snapshot, made in slices while it is sent. The view is always closed at the end. */
export async function* snapshotText(open: () => Promise<View>, caller: string): AsyncGenerator<string, void> {
  const view = await open();
  try {
    let startedMs = performance.now();
    let text = '';
    for await (const part of parts(view)) {
      text += part;
      if (text.length >= pieceLength) {
        yield text;
        text = '';
      }
      if (performance.now() - startedMs < sliceMs) continue;
      await nextTurn(caller);
      startedMs = performance.now();
    }
    yield text;
  } finally {
    await view.close();
  }
}

async function* parts(view: View): AsyncGenerator<string> {
  yield `{"format":${snapshotFormat},"orgs":{`;
  for (const [at, org] of (await view.orgs()).entries()) {
    const state = view.of(org);
    yield `${at === 0 ? '' : ','}${JSON.stringify(org)}:{"facts":${JSON.stringify(await state.facts())}`;
    yield* list('records', state.records());
    yield* list('leaving', state.leaving());
    yield* list('entries', state.entries());
    yield* list('due', state.due());
    yield '}';
  }
  yield '}}';
}

async function* list(name: string, items: AsyncIterable<object>): AsyncGenerator<string> {
  yield `,"${name}":[`;
  let separator = '';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
  yield ']';
}
