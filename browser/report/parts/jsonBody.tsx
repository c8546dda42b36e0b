import type { VNode } from 'preact';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { LongText } from './text.tsx';

/** The body of a request. It is wrapped, not scrolled, so that the keyboard needs no stop for it. */
export function JsonBody({ body, printing }: { readonly body: JsonObject; readonly printing: boolean }): VNode {
  return (
    <pre class="json">
      <code>
        <LongText of={JSON.stringify(body, null, 2)} printing={printing} />
      </code>
    </pre>
  );
}
