import { addTo } from '../record/multimap.ts';

/** Sets of two or more steps that wait for each other (Tarjan's algorithm, without recursion). */
export function stronglyConnected(
  count: number,
  edges: readonly { readonly from: number; readonly on: number }[],
): number[][] {
  const next = new Map<number, number[]>();
  for (const { from, on } of edges) {
    addTo(next, from, on);
  }

  const found: number[][] = [];
  const index = new Array<number>(count).fill(-1);
  const low = new Array<number>(count).fill(-1);
  const onStack = new Set<number>();
  const stack: number[] = [];
  let counter = 0;

  for (const start of next.keys()) {
    if (index[start] !== -1) continue;
    const calls: { readonly step: number; child: number }[] = [{ step: start, child: 0 }];
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { step } = call;
      if (call.child === 0) {
        index[step] = counter;
        low[step] = counter;
        counter += 1;
        stack.push(step);
        onStack.add(step);
      }
      const child = next.get(step)?.[call.child];
      if (child !== undefined) {
        call.child += 1;
        if (index[child] === -1) calls.push({ step: child, child: 0 });
        else if (onStack.has(child)) low[step] = Math.min(low[step] ?? 0, index[child] ?? 0);
        // A step without children is entered once only, so `child` may stay 0 for it.
        continue;
      }

      calls.pop();
      const parent = calls.at(-1);
      if (parent !== undefined) low[parent.step] = Math.min(low[parent.step] ?? 0, low[step] ?? 0);
      if (low[step] === index[step]) {
        const members = stack.splice(stack.lastIndexOf(step));
        for (const member of members) onStack.delete(member);
        if (members.length > 1) found.push(members);
      }
    }
  }
  return found;
}
