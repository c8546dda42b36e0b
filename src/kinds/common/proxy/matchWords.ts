import { type TypeTable, typed } from '../words.ts';

const section = 'proxy.members';

/** Requests that filters of the proxy skip. */
export const matchTypes: TypeTable = {
  ProxyExclusion: {
    about: 'Requests that a filter skips.',
    section,
    fields: {
      match: typed('ProxyRouteMatch', 'Which requests.'),
      port: 'Port of the requests.',
      svcPort: 'Port of the service that the requests are for.',
    },
  },
  ProxyRouteMatch: {
    about: 'Which requests are meant: all that is set has to match.',
    section,
    fields: {
      prefix: 'Beginning of the path.',
      path: 'The whole path.',
      safe_regex: typed('ProxyRegex', 'Regular expression for the path.'),
      path_separated_prefix: 'Beginning of the path, up to a slash.',
      path_match_policy: typed('ProxyPathPolicy', 'Extension that matches the path.'),
      case_sensitive: 'Whether the case of the path matters.',
      runtime_fraction: typed('ProxyRuntimeFraction', 'Share of the requests.'),
      headers: typed('ProxyHeaderMatch', 'Headers of the request.'),
      query_parameters: typed('ProxyParameterMatch', 'Parameters of the query string.'),
      grpc: typed('ProxyGrpcMatch', 'Only gRPC requests.'),
      tls_context: typed('ProxyTlsMatch', 'Certificate of the client.'),
      dynamic_metadata: typed('ProxyMetadataMatch', 'Metadata of filters.'),
    },
  },
  ProxyRegex: {
    about: 'A regular expression.',
    section,
    fields: {
      google_re2: typed('ProxyRe2', 'Options of the RE2 engine.'),
      regex: 'The expression.',
    },
  },
  ProxyRe2: {
    about: 'Options of the RE2 engine.',
    section,
    fields: { max_program_size: 'Largest size of the compiled expression.' },
  },
  ProxyPathPolicy: {
    about: 'An extension that matches paths.',
    section,
    fields: { name: 'Name of the extension.', typed_config: 'Configuration of the extension.' },
  },
  ProxyRuntimeFraction: {
    about: 'A share of the requests.',
    section,
    fields: {
      default_value: typed('ProxyFraction', 'The share, where the run-time key has no value.'),
      runtime_key: 'Run-time key that overrides the share.',
    },
  },
  ProxyFraction: {
    about: 'A share, as a fraction.',
    section,
    fields: {
      numerator: 'Number above the line.',
      denominator: 'Number below the line: `HUNDRED`, `TEN_THOUSAND` or `MILLION`.',
    },
  },
  ProxyHeaderMatch: {
    about: 'A condition about one header.',
    section,
    fields: {
      name: 'Name of the header.',
      safe_regex_match: typed('ProxyRegex', 'Regular expression for the value.'),
      range_match: typed('ProxyRange', 'Range of the value, as an integer.'),
      present_match: 'Whether the header is there.',
      string_match: typed('ProxyStringMatch', 'Condition about the value.'),
      invert_match: 'Inverts the condition.',
      treat_missing_header_as_empty: 'Treats a missing header as an empty one.',
    },
  },
  ProxyRange: {
    about: 'A range of integers.',
    section,
    fields: { start: 'First number of the range.', end: 'First number after the range.' },
  },
  ProxyStringMatch: {
    about: 'A condition about a text: one of `exact`, `prefix`, `suffix`, `safe_regex` and `contains`.',
    section,
    fields: {
      exact: 'The whole text.',
      prefix: 'Beginning of the text.',
      suffix: 'End of the text.',
      safe_regex: typed('ProxyRegex', 'Regular expression for the text.'),
      contains: 'Part of the text.',
      ignore_case: 'Compares without case.',
    },
  },
  ProxyParameterMatch: {
    about: 'A condition about one parameter of the query string.',
    section,
    fields: {
      name: 'Name of the parameter.',
      string_match: typed('ProxyStringMatch', 'Condition about the value.'),
      present_match: 'Whether the parameter is there.',
    },
  },
  ProxyGrpcMatch: {
    about: 'Only gRPC requests.',
    section,
    fields: { presented: 'Not used for gRPC; passed through.', validated: 'Not used for gRPC; passed through.' },
  },
  ProxyTlsMatch: {
    about: 'A condition about the certificate of the client.',
    section,
    fields: {
      presented: 'Whether the client presented a certificate.',
      validated: 'Whether the certificate of the client was validated.',
    },
  },
  ProxyMetadataMatch: {
    about: 'A condition about metadata of a filter.',
    section,
    fields: {
      filter: 'Name of the filter.',
      path: typed('ProxyPathSegment', 'Path to the value.'),
      value: 'Condition about the value.',
      invert: 'Inverts the condition.',
    },
  },
  ProxyPathSegment: { about: 'A step of a path into metadata.', section, fields: { key: 'Key of the step.' } },
};
