/** What the providers are called: as frameworks are told, and as tools and payloads have them. */

export const providerNames = ['items', 'notes'] as const
