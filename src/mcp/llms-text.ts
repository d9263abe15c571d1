/** `/llms.txt`: where an agent finds what, in a few lines (llmstxt.org). */
export function writeLlmsText(publicUrl: string): string {
  return `# Pixelgate

> Visual review of websites: screenshots of pages at several viewports, compared with approved baselines. People approve what changed; until then the check of a pull request waits.

Every request needs an API token: \`Authorization: Bearer <token>\`. A token of one suite with the scope \`read\` changes nothing.

- [Tools for agents](${publicUrl}/mcp): Model Context Protocol, Streamable HTTP
- [API](${publicUrl}/api/openapi.md): every operation and schema, as Markdown
- [API as OpenAPI 3.1](${publicUrl}/api/openapi.json): the same, for programs
- [Configuration file](${publicUrl}/schema.json): JSON Schema of \`.github/pixelgate.yml\`

The review of a run is at \`${publicUrl}/runs/<id>\`, and in short, as Markdown, at \`${publicUrl}/runs/<id>/summary.md\`.
`;
}
