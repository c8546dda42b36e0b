import { decimal, fields, link, map, optional, text } from '../../schema/facts/define.ts';

/** Where traces are sent, and how many (platform/gvc; rule G2: exactly one provider). */
export function tracing() {
  return fields({
    sampling: optional(decimal({}, { minimum: 0, maximum: 100 })),
    customTags: optional(
      map(fields({ literal: optional(fields({ value: optional(text({}, { maxLength: 50 })) })) }), {}),
    ),
    provider: optional(
      fields({
        otel: optional(fields({ endpoint: text() }, { presence: true })),
        tracer: optional(tracer()),
        controlplane: optional(fields({}, { presence: true })),
      }),
    ),
    tracer: optional(tracer()),
  });
}

function tracer() {
  return fields(
    { endpoint: text(), credentials: optional(link(['secret'], 'hard', { needed: true })) },
    { presence: true },
  );
}
