/** A Buffer over the same bytes, for what is no Buffer but has its bytes: nothing is copied. */
export const bufferOver = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
