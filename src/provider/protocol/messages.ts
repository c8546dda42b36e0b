import type { Encoded } from './encoded.ts';

/**
 * The messages of Terraform's plugin protocol (version 6.8), of go-plugin and of gRPC's health check: each field as
 * `[repeated|map|optional] TYPE NUMBER`; an optional one is written even if it is zero. Fields that this provider
 * neither reads nor writes are omitted, as protobuf allows. 64-bit numbers are `int32` here: they are schema versions
 * and positions in lists, and have the same bytes.
 */
export const messages = {
  Empty: {},
  DynamicValue: { msgpack: 'bytes 1', json: 'bytes 2' },
  RawState: { json: 'bytes 1' },
  Diagnostic: { severity: 'int32 1', summary: 'string 2', detail: 'string 3', attribute: 'AttributePath 4' },
  AttributePath: { steps: 'repeated Step 1' },
  Step: {
    attribute_name: 'optional string 1',
    element_key_string: 'optional string 2',
    element_key_int: 'optional int32 3',
  },
  Schema: { version: 'int32 1', block: 'Block 2' },
  Block: {
    version: 'int32 1',
    attributes: 'repeated Attribute 2',
    block_types: 'repeated NestedBlock 3',
    description: 'string 4',
    description_kind: 'int32 5',
    deprecated: 'bool 6',
  },
  Attribute: {
    name: 'string 1',
    type: 'bytes 2',
    description: 'string 3',
    required: 'bool 4',
    optional: 'bool 5',
    computed: 'bool 6',
    sensitive: 'bool 7',
    description_kind: 'int32 8',
    deprecated: 'bool 9',
    nested_type: 'NestedType 10',
    write_only: 'bool 11',
  },
  NestedBlock: {
    type_name: 'string 1',
    block: 'Block 2',
    nesting: 'int32 3',
    min_items: 'int32 4',
    max_items: 'int32 5',
  },
  NestedType: { attributes: 'repeated Attribute 1', nesting: 'int32 3' },
  ServerCapabilities: { plan_destroy: 'bool 1', get_provider_schema_optional: 'bool 2', move_resource_state: 'bool 3' },
  ClientCapabilities: { deferral_allowed: 'bool 1', write_only_attributes_allowed: 'bool 2' },
  TypeName: { type_name: 'string 1' },
  FunctionName: { name: 'string 1' },
  Parameter: {
    name: 'string 1',
    type: 'bytes 2',
    allow_null_value: 'bool 3',
    allow_unknown_values: 'bool 4',
    description: 'string 5',
    description_kind: 'int32 6',
  },
  Return: { type: 'bytes 1' },
  Function: {
    parameters: 'repeated Parameter 1',
    variadic_parameter: 'Parameter 2',
    return: 'Return 3',
    summary: 'string 4',
    description: 'string 5',
    description_kind: 'int32 6',
  },
  FunctionError: { text: 'string 1', function_argument: 'optional int32 2' },
  ImportedResource: { type_name: 'string 1', state: 'DynamicValue 2', private: 'bytes 3' },

  'GetMetadata.Request': {},
  'GetMetadata.Response': {
    server_capabilities: 'ServerCapabilities 1',
    diagnostics: 'repeated Diagnostic 2',
    data_sources: 'repeated TypeName 3',
    resources: 'repeated TypeName 4',
    functions: 'repeated FunctionName 5',
    ephemeral_resources: 'repeated TypeName 6',
  },
  'GetProviderSchema.Request': {},
  'GetProviderSchema.Response': {
    provider: 'Schema 1',
    resource_schemas: 'map Schema 2',
    data_source_schemas: 'map Schema 3',
    diagnostics: 'repeated Diagnostic 4',
    server_capabilities: 'ServerCapabilities 6',
    functions: 'map Function 7',
    ephemeral_resource_schemas: 'map Schema 8',
  },
  'ValidateProviderConfig.Request': { config: 'DynamicValue 1' },
  'ValidateProviderConfig.Response': { diagnostics: 'repeated Diagnostic 2' },
  'ValidateResourceConfig.Request': {
    type_name: 'string 1',
    config: 'DynamicValue 2',
    client_capabilities: 'ClientCapabilities 3',
  },
  'ValidateResourceConfig.Response': { diagnostics: 'repeated Diagnostic 1' },
  'ValidateDataResourceConfig.Request': { type_name: 'string 1', config: 'DynamicValue 2' },
  'ValidateDataResourceConfig.Response': { diagnostics: 'repeated Diagnostic 1' },
  'UpgradeResourceState.Request': { type_name: 'string 1', version: 'int32 2', raw_state: 'RawState 3' },
  'UpgradeResourceState.Response': { upgraded_state: 'DynamicValue 1', diagnostics: 'repeated Diagnostic 2' },
  'ConfigureProvider.Request': { terraform_version: 'string 1', config: 'DynamicValue 2' },
  'ConfigureProvider.Response': { diagnostics: 'repeated Diagnostic 1' },
  'ReadResource.Request': { type_name: 'string 1', current_state: 'DynamicValue 2', private: 'bytes 3' },
  'ReadResource.Response': { new_state: 'DynamicValue 1', diagnostics: 'repeated Diagnostic 2', private: 'bytes 3' },
  'PlanResourceChange.Request': {
    type_name: 'string 1',
    prior_state: 'DynamicValue 2',
    proposed_new_state: 'DynamicValue 3',
    config: 'DynamicValue 4',
    prior_private: 'bytes 5',
  },
  'PlanResourceChange.Response': {
    planned_state: 'DynamicValue 1',
    requires_replace: 'repeated AttributePath 2',
    planned_private: 'bytes 3',
    diagnostics: 'repeated Diagnostic 4',
  },
  'ApplyResourceChange.Request': {
    type_name: 'string 1',
    prior_state: 'DynamicValue 2',
    planned_state: 'DynamicValue 3',
    config: 'DynamicValue 4',
    planned_private: 'bytes 5',
  },
  'ApplyResourceChange.Response': {
    new_state: 'DynamicValue 1',
    private: 'bytes 2',
    diagnostics: 'repeated Diagnostic 3',
  },
  'ImportResourceState.Request': { type_name: 'string 1', id: 'string 2' },
  'ImportResourceState.Response': {
    imported_resources: 'repeated ImportedResource 1',
    diagnostics: 'repeated Diagnostic 2',
  },
  'MoveResourceState.Request': {
    source_provider_address: 'string 1',
    source_type_name: 'string 2',
    source_schema_version: 'int32 3',
    source_state: 'RawState 4',
    target_type_name: 'string 5',
    source_private: 'bytes 6',
  },
  'MoveResourceState.Response': {
    target_state: 'DynamicValue 1',
    diagnostics: 'repeated Diagnostic 2',
    target_private: 'bytes 3',
  },
  'ReadDataSource.Request': { type_name: 'string 1', config: 'DynamicValue 2' },
  'ReadDataSource.Response': { state: 'DynamicValue 1', diagnostics: 'repeated Diagnostic 2' },
  'GetFunctions.Request': {},
  'GetFunctions.Response': { functions: 'map Function 1', diagnostics: 'repeated Diagnostic 2' },
  'CallFunction.Request': { name: 'string 1', arguments: 'repeated DynamicValue 2' },
  'CallFunction.Response': { result: 'DynamicValue 1', error: 'FunctionError 2' },
  'ValidateEphemeralResourceConfig.Request': { type_name: 'string 1', config: 'DynamicValue 2' },
  'ValidateEphemeralResourceConfig.Response': { diagnostics: 'repeated Diagnostic 1' },
  'OpenEphemeralResource.Request': { type_name: 'string 1', config: 'DynamicValue 2' },
  'OpenEphemeralResource.Response': {
    diagnostics: 'repeated Diagnostic 1',
    result: 'DynamicValue 3',
    private: 'bytes 4',
  },
  'RenewEphemeralResource.Request': { type_name: 'string 1', private: 'bytes 2' },
  'RenewEphemeralResource.Response': { diagnostics: 'repeated Diagnostic 1' },
  'CloseEphemeralResource.Request': { type_name: 'string 1', private: 'bytes 2' },
  'CloseEphemeralResource.Response': { diagnostics: 'repeated Diagnostic 1' },
  'StopProvider.Request': {},
  'StopProvider.Response': { Error: 'string 1' },

  StdioData: { channel: 'int32 1', data: 'bytes 2' },
  ConnInfo: { service_id: 'int32 1', network: 'string 2', address: 'string 3' },
  HealthCheckRequest: { service: 'string 1' },
  HealthCheckResponse: { status: 'int32 1' },
} as const;

type Messages = typeof messages;
export type MessageName = keyof Messages;

interface Scalars {
  readonly bytes: Uint8Array;
  readonly string: string;
  readonly bool: boolean;
  readonly int32: number;
}
type TypeOf<T> = T extends keyof Scalars ? Scalars[T] : T extends MessageName ? Message<T> : never;
type FieldOf<F> = F extends `optional ${infer T} ${number}`
  ? TypeOf<T>
  : F extends `repeated ${infer T} ${number}`
    ? readonly TypeOf<T>[]
    : F extends `map ${infer T} ${number}`
      ? { readonly [key: string]: TypeOf<T> }
      : F extends `${infer T} ${number}`
        ? TypeOf<T>
        : never;

/** A message as an object: an absent field has its default value, empty. */
export type Message<Name extends MessageName> = {
  readonly [F in keyof Messages[Name]]?: FieldOf<Messages[Name][F]>;
};

/** The calls of Terraform that this provider answers. Others are answered as unimplemented. */
export const rpcs = [
  'GetMetadata',
  'GetProviderSchema',
  'ValidateProviderConfig',
  'ValidateResourceConfig',
  'ValidateDataResourceConfig',
  'UpgradeResourceState',
  'ConfigureProvider',
  'ReadResource',
  'PlanResourceChange',
  'ApplyResourceChange',
  'ImportResourceState',
  'MoveResourceState',
  'ReadDataSource',
  'GetFunctions',
  'CallFunction',
  'ValidateEphemeralResourceConfig',
  'OpenEphemeralResource',
  'RenewEphemeralResource',
  'CloseEphemeralResource',
  'StopProvider',
] as const;
export type Rpc = (typeof rpcs)[number];
export type RequestOf<R extends Rpc> = Message<`${R}.Request`>;
export type ResponseOf<R extends Rpc> = Message<`${R}.Response`>;

/** The handler of each call. */
export type Handlers = { readonly [R in Rpc]: (request: RequestOf<R>) => Promise<ResponseOf<R> | Encoded> };
