"""What a model reads behind the rules: it proposes, and whatever nobody said is marked as such."""

from gieok.extract.model.extractor import ModelExtractor as ModelExtractor
