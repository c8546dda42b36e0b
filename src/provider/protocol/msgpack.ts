import { Decoder, Encoder, ExtData, type ExtensionCodecType } from '@msgpack/msgpack';
import { unknown } from '../../terraform/model/value.ts';

/** Whatever the extension: plain unknown values have type 0, those of which something is known type 12. */
const extensions: ExtensionCodecType<undefined> = {
  tryToEncode: (value) => (value === unknown ? new ExtData(0, new Uint8Array(1)) : null),
  decode: () => unknown,
};

/** As deep as Terraform's own types may be nested in a schema of ours, with room to spare. */
const options = { extensionCodec: extensions, useBigInt64: true, maxDepth: 200 } as const;
const [encoder, decoder] = [new Encoder(options), new Decoder(options)];

export function toMsgpack(value: unknown): Uint8Array {
  return encoder.encode(value);
}

export function fromMsgpack(bytes: Uint8Array): unknown {
  return decoder.decode(bytes);
}
