import type { VNode } from 'preact';

/** That all details of a list are to be opened, or closed; a new object each time. */
export interface Openness {
  readonly open: boolean;
}

export function OpenAll({ onAll }: { readonly onAll: (all: Openness) => void }): VNode {
  return (
    <p class="tools no-print">
      <button type="button" class="quiet" onClick={() => onAll({ open: true })}>
        Expand all
      </button>
      <button type="button" class="quiet" onClick={() => onAll({ open: false })}>
        Collapse all
      </button>
    </p>
  );
}
