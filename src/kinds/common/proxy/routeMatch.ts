import { flag, free, integer, openFields, optional, sequence, text } from '../../../schema/facts/define.ts';

function safeRegex() {
  return openFields({
    google_re2: optional(openFields({ max_program_size: optional(integer()) })),
    regex: optional(text()),
  });
}

function stringMatch() {
  return openFields({
    exact: optional(text()),
    prefix: optional(text()),
    suffix: optional(text()),
    safe_regex: optional(safeRegex()),
    contains: optional(text()),
    ignore_case: optional(flag()),
  });
}

const header = openFields({
  name: optional(text()),
  safe_regex_match: optional(safeRegex()),
  range_match: optional(openFields({ start: optional(integer()), end: optional(integer()) })),
  present_match: optional(flag()),
  string_match: optional(stringMatch()),
  invert_match: optional(flag()),
  treat_missing_header_as_empty: optional(flag()),
});

const match = openFields({
  prefix: optional(text()),
  path: optional(text()),
  safe_regex: optional(safeRegex()),
  path_separated_prefix: optional(text()),
  path_match_policy: optional(
    openFields({ name: optional(text({ spelling: 'type' })), typed_config: optional(free()) }),
  ),
  case_sensitive: optional(flag()),
  runtime_fraction: optional(
    openFields({
      default_value: optional(openFields({ numerator: optional(integer()), denominator: optional(free()) })),
      runtime_key: optional(text()),
    }),
  ),
  headers: optional(sequence(header)),
  query_parameters: optional(
    sequence(
      openFields({ name: optional(text()), string_match: optional(stringMatch()), present_match: optional(flag()) }),
    ),
  ),
  grpc: optional(openFields({ presented: optional(flag()), validated: optional(flag()) }, { presence: true })),
  tls_context: optional(openFields({ presented: optional(flag()), validated: optional(flag()) })),
  dynamic_metadata: optional(
    sequence(
      openFields({
        filter: optional(text({ spelling: 'type' })),
        path: optional(sequence(openFields({ key: optional(text()) }))),
        value: optional(free()),
        invert: optional(flag()),
      }),
    ),
  ),
});

/** Requests that external authorisation or rate limiting leaves alone (platform/proxy.members). */
export const exclusion = openFields({
  match: optional(match),
  port: optional(integer({}, { minimum: 1, maximum: 65_535 })),
  svcPort: optional(integer({}, { minimum: 1, maximum: 65_535 })),
});
