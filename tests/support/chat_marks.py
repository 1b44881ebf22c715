"""Marks of the chat formats of real models: what tells them who speaks, what is a tool's, and where a text ends."""

MARKS = (
    # ChatML, Qwen, Yi, Phi, gpt-oss, Llama 3, Granite, Command R, Kimi, GLM, HyperCLOVA X
    "<|im_start|> <|im_end|> <|im_sep|> <|endoftext|> <|user|> <|assistant|> <|system|> <|end|> <|start|> <|channel|> "
    "<|message|> <|return|> <|begin_of_text|> <|start_header_id|> <|end_header_id|> <|eot_id|> <|eom_id|> "
    "<|python_tag|> "
    "<|start_of_role|> <|end_of_role|> <|START_OF_TURN_TOKEN|> <|USER_TOKEN|> <|CHATBOT_TOKEN|> <|END_OF_TURN_TOKEN|> "
    "<|tool_calls_section_begin|> <|observation|> <|stop|> <|vision_start|> <|fim_prefix|> "
    # Qwen, Hermes: tools and thoughts
    "<tool_call> </tool_call> <tool_response> </tool_response> <tools> </tools> <think> </think> "
    # DeepSeek, Hunyuan
    "<｜User｜> <｜Assistant｜> <｜begin▁of▁sentence｜> <｜tool▁calls▁begin｜> <｜hy_User｜> "
    # Llama 2, Mistral
    "<s> </s> <unk> [INST] [/INST] <<SYS>> <</SYS>> [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_CALLS] [TOOL_RESULTS] "
    "[/TOOL_RESULTS] [TOOL_CONTENT] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [THINK] [ARGS] [IMG_BREAK] "
    # Gemma, T5, Nemotron, InternLM, Baichuan, StarCoder, CodeLlama, MiniMax, Seed, EXAONE, GLM, BERT
    "<start_of_turn> <end_of_turn> <start_of_image> <unused99> <bos> <eos> <pad> <mask> <extra_id_0> <extra_id_1> "
    "<SPECIAL_10> <eoh> [UNUSED_TOKEN_145] <reserved_106> <fim_middle> <PRE> <beginning_of_sentence> ]~b] ]~!b[ [e~[ "
    "<seed:bos> <seed:think> [|system|] [|assistant|] [|endofturn|] [gMASK] <sop> [CLS] [SEP] [MASK]"
).split()
ORDINARY = (
    *(
        "하트 <3 뿅",
        "<기생충> 봤어",
        "1 < 2",
        "a<b",
        ">_<",
        "<(^o^)>",
        "-_-",
        "[웃음] 좋아",
        "*웃음*",
        "[TV] 봤어",
        "[1] 참고",
    ),
    *(
        "👨\u200d👩\u200d👧 가족",
        "<@1234> 안녕",
        "ARS 전화 왔어",
        "[ㅋㅋ]",
        "번호는 [전화번호]야",
        "10 > 3 < 20",
        "(웃음)",
        "{민수}",
    ),
)
#: what reads on though it looks like a mark
READABLE = {
    "<b>굵게</b>": "‹b›굵게‹/b›",
    "[OST] 들었어": "(OST) 들었어",
    "<br/>": "‹br/›",
    "<https://a.kr>": "‹https://a.kr›",
}
