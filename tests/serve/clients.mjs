// Talks to gieok with the clients of npm, and prints what came as JSON: node clients.mjs ADDRESS, beside node_modules.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'

const baseURL = process.argv[2]
const model = 'gieok/letia'
const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 })
const persona = { role: 'system', content: 'You are Letia.' }
const came = {}

const first = await client.chat.completions.create({
  model, max_tokens: 8, messages: [persona, { role: 'user', content: "I'm allergic to peanuts." }]
})
came.create = first.choices[0].message.role

const stream = client.chat.completions.stream({
  model, max_tokens: 8, messages: [persona, { role: 'user', content: 'What should I eat tonight?' }]
})
came.stream = (await stream.finalChatCompletion()).choices[0].message.role

came.models = (await client.models.list()).data.map((each) => each.id)
came.retrieve = (await client.models.retrieve(model)).id
try {
  await client.embeddings.create({ model, input: 'x', encoding_format: 'float' })
} catch (error) {
  came.embeddings = [error.status, error.message]
}

const gieok = createOpenAICompatible({ name: 'gieok', baseURL, apiKey: 'none' })
const generated = await generateText({ model: gieok(model), maxOutputTokens: 8, prompt: 'Which snack do you like?' })
came.generateText = generated.finishReason
const streamed = streamText({ model: gieok(model), maxOutputTokens: 8, prompt: 'Tell me about your owl.' })
let pieces = 0
for await (const piece of streamed.textStream) pieces += piece.length > 0
came.streamText = pieces > 0

console.log(JSON.stringify(came))
